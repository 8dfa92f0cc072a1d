import { textOf, type JsonRecord } from '../../common/json';

/** Whether a body is an error's: `{status, error}`, `{error: true, message}` or `{success: false}`. */
export function isErrorBody({ status, error, success }: JsonRecord): boolean {
	const isError = error === true || success === false || Boolean(textOf(error));
	return isError || (typeof status === 'number' && status >= 400);
}
