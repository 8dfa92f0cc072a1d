/** One way to ask for something. `{name}` in the path stands for a value that is percent-encoded as one segment. */
export interface RouteForm {
	method: 'GET' | 'PUT' | 'POST';
	path: string;
}

/** A function of the gateway, in the forms that generations of gateways know it by. */
export interface Route {
	/** Whether it changes something: then it is repeated only where it certainly was not carried out. */
	changes: boolean;
	/** The published form first; each next one is tried only where the gateway says that it lacks the one before. */
	forms: [RouteForm, ...RouteForm[]];
}

const get = (path: string): Route => ({ changes: false, forms: [{ method: 'GET', path }] });

/** A change that generation 1 takes as PUT, and 2.2.3 and 2.3.6 as POST; the other method is 404 "Cannot …". */
const putOrPost = (path: string): Route => ({
	changes: true,
	forms: [
		{ method: 'PUT', path },
		{ method: 'POST', path },
	],
});

/** Every call that the node makes. First the published form, then those seen on 1.8.2, 2.2.3 and 2.3.6. */
export const ROUTES = {
	listInstances: get('/instance/fetchInstances'),
	updateParticipants: putOrPost('/group/updateParticipant/{instance}'),
	findBot: {
		changes: false,
		forms: [
			{ method: 'GET', path: '/openai/find/{bot}/{instance}' },
			// 2.2.3 and 2.3.6 answer "find" with 404 "Cannot GET …"; 1.8.2 has no bots at all.
			{ method: 'GET', path: '/openai/fetch/{bot}/{instance}' },
		],
	},
	// Not published, and the same on all known generations.
	listGroups: get('/group/fetchAllGroups/{instance}'),
	listParticipants: get('/group/participants/{instance}'),
	inviteCode: get('/group/inviteCode/{instance}'),
	findNumbers: { changes: false, forms: [{ method: 'POST', path: '/chat/whatsappNumbers/{instance}' }] },
	sendInvite: { changes: true, forms: [{ method: 'POST', path: '/group/sendInvite/{instance}' }] },
	updateSetting: putOrPost('/group/updateSetting/{instance}'),
	revokeInviteCode: putOrPost('/group/revokeInviteCode/{instance}'),
	groupInfo: get('/group/findGroupInfos/{instance}'),
	// It starts a connection.
	connect: { changes: true, forms: [{ method: 'GET', path: '/instance/connect/{instance}' }] },
	connectionState: get('/instance/connectionState/{instance}'),
	// 2.2.3 and 2.3.6.
	listBots: get('/openai/find/{instance}'),
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

/** What goes into a call. */
export interface CallValues {
	/** Values for the path's `{name}`s, checked: not empty, `.` or `..`. */
	path?: Readonly<Record<string, string>>;
	query?: Readonly<Record<string, string>>;
	body?: Readonly<Record<string, unknown>>;
}

/** The address of a call: every value percent-encoded, so that none can steer the path or add to the query. */
export function addressOf(baseUrl: string, form: RouteForm, { path = {}, query = {} }: CallValues): string {
	const filled = Object.entries(path).reduce<string>(
		(address, [name, value]) => address.replace(`{${name}}`, encodeURIComponent(value)),
		form.path,
	);
	const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
	return baseUrl + filled + (pairs.length > 0 ? `?${pairs.join('&')}` : '');
}
