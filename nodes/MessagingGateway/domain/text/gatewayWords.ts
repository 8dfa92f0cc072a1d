import { isRecord, textOf } from '../records/json';
import { secretsIn } from './secrets';
import { formsOf, hideNamedSecrets, strikeOut } from './strikeOut';
import { oneLine } from './text';

/** Of a text, in characters: an error says what it has to say at once. */
const LONGEST_START = 5000;

/**
 * The gateway's own words about what went wrong, flattened into one line that is safe to show.
 *
 * The body is `{status, error, response: {message}}`, where `message` is text, a list of texts, a list of
 * `{property, message}`, or a list of lists (1.8.2, 2.2.3, 2.3.6); a proxy answers HTML or plain text.
 *
 * @param body parsed JSON, or the text of a reply that is not JSON
 * @param secrets what must not be shown besides the secrets in the body itself
 * @returns the words without secrets and control characters, at most 500 characters; empty where there are none
 */
export function gatewayWords(body: unknown, secrets: readonly string[]): string {
	const all = [...secrets, ...secretsIn(body)];
	const text = texts(messageIn(body)).join(', ');
	const start = hideNamedSecrets(strikeOut(text.slice(0, LONGEST_START), all));
	// A cut through a secret leaves a part that nothing finds: so as much as a secret is long goes too.
	const forms = text.length > LONGEST_START ? all.flatMap(formsOf) : [];
	const longest = forms.reduce((most, { length }) => Math.max(most, length), 0);
	const clean = start.slice(0, -longest || undefined);
	return oneLine(typeof body === 'string' ? textOfPage(clean) : clean);
}

/** The first of the known places that says something. */
function messageIn(body: unknown): unknown {
	if (!isRecord(body)) return body;
	const response = isRecord(body.response) ? body.response.message : body.response;
	const places = [response, body.message, isRecord(body.error) ? body.error.message : body.error];
	return places.find((place) => texts(place).length > 0);
}

function texts(message: unknown): string[] {
	if (typeof message === 'string') return message.trim() === '' ? [] : [message.trim()];
	// A list of lists is as deep as it gets.
	if (Array.isArray(message)) return message.flat(2).flatMap((one) => (Array.isArray(one) ? [] : texts(one)));
	return isRecord(message) ? texts(textOf(message.message)) : [];
}

/** The visible text of an HTML page; other text as it is. */
function textOfPage(page: string): string {
	return page
		.replace(/<(script|style|head)\b.*?<\/\1>/gis, ' ')
		.replace(/<[^>]*>/g, ' ')
		.replace(/&nbsp;/g, ' ')
		.trim();
}
