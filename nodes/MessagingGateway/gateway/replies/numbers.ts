import { isRecord, listOf, textOf } from '../../common/json';
import { identityOf, type Identity } from '../../groups/identity';

/**
 * Reads the reply to a look-up of one number: `[{exists, jid, number}]` on all generations, where `jid` is the network's
 * form of it, and `number` the one that was asked.
 *
 * @param asked the number as it was sent: what is said of another one is no answer
 * @returns under which ID the network has the number; `null` if it hasn't; `undefined` if the reply is
 * something else
 */
export function readNumberLookup(reply: unknown, asked: string): Identity | null | undefined {
	const rows = listOf(reply);
	const [row] = rows;
	if (rows.length !== 1 || !isRecord(row) || (textOf(row.number) ?? asked) !== asked) return undefined;
	if (row.exists === false) return null;
	return row.exists === true ? identityOf(textOf(row.jid)) : undefined;
}
