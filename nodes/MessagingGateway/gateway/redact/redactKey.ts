import { patternOf } from './redactText';
import { HIDDEN, walk } from './secretFields';

/** Makes the function that hides the credential's key in all texts and numbers of a JSON value. */
export function keyRedactor(secrets: Iterable<string>): (value: unknown) => unknown {
	const pattern = patternOf(secrets);
	const hide = (value: unknown) => {
		if (typeof value !== 'string' && typeof value !== 'number') return value;
		const text = String(value);
		const after = text.replace(pattern, HIDDEN);
		return after === text ? value : after;
	};
	return (value) => walk(value, { hide, isSecretName: () => false });
}
