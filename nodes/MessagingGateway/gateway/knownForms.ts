import { ROUTES, type Route, type RouteForm, type RouteName } from './routes';

/** Of more gateways than these the oldest is forgotten. */
const MOST_GATEWAYS = 100;

/** By base URL and route, the form that a gateway knew last, as long as the process lives. */
const KNOWN = new Map<string, Map<RouteName, RouteForm>>();

/**
 * The forms of a route, in the order in which a gateway is asked: first the one that it knew last, which is no more than
 * a guess, since another generation may have taken its place.
 */
export function formsOf(baseUrl: string, route: RouteName): readonly RouteForm[] {
	const { forms }: Route = ROUTES[route];
	const known = KNOWN.get(baseUrl)?.get(route);
	return known === undefined ? forms : [known, ...forms.filter((form) => form !== known)];
}

/** Notes that a gateway knows a form of a route. */
export function noteForm(baseUrl: string, route: RouteName, form: RouteForm): void {
	const known = KNOWN.get(baseUrl) ?? new Map<RouteName, RouteForm>();
	KNOWN.set(baseUrl, known.set(route, form));
	for (const oldest of KNOWN.keys()) if (KNOWN.size > MOST_GATEWAYS) KNOWN.delete(oldest);
}
