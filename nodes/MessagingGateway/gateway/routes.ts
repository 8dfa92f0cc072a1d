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

/** Every call that the node makes. First the published form, then those seen on 1.8.2, 2.2.3 and 2.3.6. */
export const ROUTES = {
	listInstances: { changes: false, forms: [{ method: 'GET', path: '/instance/fetchInstances' }] },
	updateParticipants: {
		changes: true,
		forms: [
			{ method: 'PUT', path: '/group/updateParticipant/{instance}' },
			// 2.2.3 and 2.3.6 answer PUT with 404 "Cannot PUT …".
			{ method: 'POST', path: '/group/updateParticipant/{instance}' },
		],
	},
	findBot: {
		changes: false,
		forms: [
			{ method: 'GET', path: '/openai/find/{bot}/{instance}' },
			// 2.2.3 and 2.3.6 answer "find" with 404 "Cannot GET …"; 1.8.2 has no bots at all.
			{ method: 'GET', path: '/openai/fetch/{bot}/{instance}' },
		],
	},
	// Not published, and the same on all known generations.
	listGroups: { changes: false, forms: [{ method: 'GET', path: '/group/fetchAllGroups/{instance}' }] },
	listParticipants: { changes: false, forms: [{ method: 'GET', path: '/group/participants/{instance}' }] },
	inviteCode: { changes: false, forms: [{ method: 'GET', path: '/group/inviteCode/{instance}' }] },
	findNumbers: { changes: false, forms: [{ method: 'POST', path: '/chat/whatsappNumbers/{instance}' }] },
	sendInvite: { changes: true, forms: [{ method: 'POST', path: '/group/sendInvite/{instance}' }] },
	// Generation 1 takes PUT, 2.3.6 POST; the other method is 404 "Cannot …".
	updateSetting: {
		changes: true,
		forms: [
			{ method: 'PUT', path: '/group/updateSetting/{instance}' },
			{ method: 'POST', path: '/group/updateSetting/{instance}' },
		],
	},
	revokeInviteCode: {
		changes: true,
		forms: [
			{ method: 'PUT', path: '/group/revokeInviteCode/{instance}' },
			{ method: 'POST', path: '/group/revokeInviteCode/{instance}' },
		],
	},
	groupInfo: { changes: false, forms: [{ method: 'GET', path: '/group/findGroupInfos/{instance}' }] },
	// It starts a connection.
	connect: { changes: true, forms: [{ method: 'GET', path: '/instance/connect/{instance}' }] },
	connectionState: {
		changes: false,
		forms: [{ method: 'GET', path: '/instance/connectionState/{instance}' }],
	},
	// 2.2.3 and 2.3.6.
	listBots: { changes: false, forms: [{ method: 'GET', path: '/openai/find/{instance}' }] },
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
