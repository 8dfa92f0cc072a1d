import { textOf, type JsonRecord } from './json';

/**
 * Whether a body is the one of an error, `{status, error, response}` on all generations, whatever the status that it
 * came with.
 */
export function isErrorBody({ status, error }: JsonRecord): boolean {
	return (typeof status === 'number' && status >= 400) || Boolean(textOf(error));
}
