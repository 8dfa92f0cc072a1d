import { textOf, type JsonRecord } from '../../common/json';

/** Whether a body is that of an error, on all generations `{status, error, response}`, `{error: true, message}`, or `{success: false, message}`. */
export function isErrorBody({ status, error, success }: JsonRecord): boolean {
	const isError = error === true || success === false || Boolean(textOf(error));
	return isError || (typeof status === 'number' && status >= 400);
}
