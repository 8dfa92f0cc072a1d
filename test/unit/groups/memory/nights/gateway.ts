import { clock } from './clock';

/** Somebody who may be in the group, as the network knows them. */
export interface Account {
	/** The number that is on the network now. */
	phone: string;
	readonly lid: string;
	isIn: boolean;
	/** The network's code for an addition that it refuses, or a removal. */
	refusal: string | undefined;
	/** The old numbers of this account. */
	readonly former: string[];
}

/** An accident of one request, and of all changes in a night. */
export type Accident = 'lost' | 'page' | 'silence';

const OWN = '5511988880000';

/** A group on a played network, and a gateway's words about it. It tells what happens to whom. */
export class PlayedGateway {
	/** An accident that changes meet now, and for how many more requests. */
	accident: { kind: Accident; left: number } | undefined;

	requests = 0;

	changes = 0;

	constructor(
		private readonly accounts: readonly Account[],
		private readonly tell: (
			what: 'added' | 'removed' | 'refused' | 'invited',
			who: Account,
			sentAs: string,
		) => void,
	) {}

	/** Answers a request. @throws where the connection is lost */
	answer(method: string, path: string, body: Record<string, unknown>): [status: number, body: unknown] {
		this.requests++;
		if (path.includes('/fetchInstances'))
			return [200, [{ instance: { instanceName: 'main', status: 'open', owner: `${OWN}@s.whatsapp.net` } }]];
		if (path.includes('/connectionState/'))
			return [200, { instance: { instanceName: 'main', state: 'open' } }];
		if (path.includes('/participants/')) return [200, { participants: this.members() }];
		if (path.includes('/inviteCode/'))
			return [200, { inviteUrl: 'https://chat.whatsapp.com/Link', inviteCode: 'Link' }];
		if (path.includes('/updateParticipant/')) return this.change(body);
		if (path.includes('/sendInvite/')) return this.invite(body);
		if (path.includes('/whatsappNumbers/'))
			return [
				200,
				(body.numbers as string[]).map((number) => ({
					number,
					exists: this.byNumber(number) !== undefined,
					jid: `${number}@s.whatsapp.net`,
				})),
			];
		return [404, { status: 404, error: 'Not Found', response: { message: [`Cannot ${method} ${path}`] } }];
	}

	private members() {
		const others = this.accounts.filter(({ isIn }) => isIn);
		const own = { id: '9000000@lid', phoneNumber: `${OWN}@s.whatsapp.net`, admin: 'superadmin' };
		const shown = others.map(({ phone, lid }) => ({
			id: lid,
			admin: null,
			phoneNumber: `${phone}@s.whatsapp.net`,
		}));
		return [own, ...shown];
	}

	private change({ action, participants }: Record<string, unknown>): [number, unknown] {
		this.changes++;
		const accident = this.nextAccident();
		if (accident === 'page') return [502, '<html>Bad Gateway</html>'];
		const rows = (participants as string[]).map((sentAs) => this.changeOne(String(action), sentAs));
		if (accident === 'lost') throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		return [201, { updateParticipants: accident === 'silence' ? [] : rows }];
	}

	private changeOne(action: string, sentAs: string) {
		const account = this.accounts.find((one) => one.lid === sentAs) ?? this.byNumber(sentAs);
		const former = this.accounts.find((one) => one.former.includes(digitsOf(sentAs)));
		const row = (status: string, who = account) => ({
			status,
			jid: who?.lid ?? sentAs,
			content: {
				attrs: { phone_number: sentAs.includes('@lid') ? undefined : `${digitsOf(sentAs)}@s.whatsapp.net` },
			},
		});
		if (account === undefined) {
			if (former) this.tell('refused', former, sentAs);
			return row('404', former);
		}
		const isAsWanted = account.isIn === (action === 'add');
		if (isAsWanted) return row(action === 'add' ? '409' : '404');
		if (account.refusal !== undefined) {
			this.tell('refused', account, sentAs);
			return row(account.refusal);
		}
		account.isIn = action === 'add';
		this.tell(account.isIn ? 'added' : 'removed', account, sentAs);
		return row('200');
	}

	private invite({ numbers }: Record<string, unknown>): [number, unknown] {
		this.changes++;
		const accident = this.nextAccident();
		if (accident === 'page') return [502, '<html>Bad Gateway</html>'];
		const [number = ''] = numbers as string[];
		const account = this.byNumber(number);
		if (account === undefined)
			return [404, { status: 404, error: 'Not Found', response: { message: ['No send invite'] } }];
		this.tell('invited', account, number);
		if (accident === 'lost') throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		return [200, { send: true, inviteUrl: 'https://chat.whatsapp.com/Link' }];
	}

	private byNumber(text: string): Account | undefined {
		return this.accounts.find(({ phone }) => phone === digitsOf(text));
	}

	private nextAccident(): Accident | undefined {
		const { accident } = this;
		if (accident === undefined || accident.left-- <= 0) return undefined;
		if (accident.kind === 'silence') clock.now += 60_000;
		return accident.kind;
	}
}

const digitsOf = (text: string) => text.split('@')[0] ?? '';
