import { isRecord } from '../../nodes/MessagingGateway/common/json';

/** The owner of a test's n8n. */
export const OWNER = {
	email: 'owner@n8n.example',
	firstName: 'Test',
	lastName: 'Owner',
	password: 'Test-0wner',
};

/** n8n ties a session to the browser that opened it. */
export const BROWSER_ID = 'browser-of-the-tests';

/** n8n's own interface, as its editor uses it. */
export class Rest {
	private cookie = '';

	/** @param url of the server, without a slash at its end */
	constructor(readonly url: string) {}

	/** Whether the server is ready to answer. */
	async isReady(): Promise<boolean> {
		try {
			const response = await fetch(`${this.url}/rest/settings`);
			return response.ok && isRecord(await response.json());
		} catch {
			return false;
		}
	}

	/** Makes the owner of a new server, and signs in. */
	async signUp(): Promise<void> {
		await this.post('/rest/owner/setup', OWNER);
	}

	/** Signs in to a server that has its owner. */
	async signIn(): Promise<void> {
		await this.post('/rest/login', { emailOrLdapLoginId: OWNER.email, password: OWNER.password });
	}

	/** The session as the editor's browser has it. */
	get session(): { name: string; value: string } {
		const [name = '', value = ''] = this.cookie.split('=');
		return { name, value };
	}

	/** @throws with n8n's own words where the status is not 2xx */
	async get(path: string): Promise<unknown> {
		return await this.request('GET', path);
	}

	/** @throws with n8n's own words where the status is not 2xx */
	async post(path: string, body: unknown): Promise<unknown> {
		return await this.request('POST', path, JSON.stringify(body));
	}

	/** @throws with n8n's own words where the status is not 2xx */
	async patch(path: string, body: unknown): Promise<unknown> {
		return await this.request('PATCH', path, JSON.stringify(body));
	}

	/** @throws with n8n's own words where the status is not 2xx */
	async delete(path: string): Promise<unknown> {
		return await this.request('DELETE', path);
	}

	private async request(method: string, path: string, body?: string): Promise<unknown> {
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers: { 'content-type': 'application/json', 'browser-id': BROWSER_ID, cookie: this.cookie },
			...(body !== undefined && { body }),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 1000)}`);
		const session = response.headers.getSetCookie().find((cookie) => cookie.startsWith('n8n-auth='));
		if (session !== undefined) this.cookie = session.split(';')[0] ?? '';
		const reply: unknown = JSON.parse(text);
		return isRecord(reply) && 'data' in reply ? reply.data : reply;
	}
}
