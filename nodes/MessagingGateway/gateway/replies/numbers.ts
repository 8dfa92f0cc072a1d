import { isRecord, listOf, textOf } from '../../common/json';
import { identityOf, type Identity } from '../../groups/identity';

/**
 * Reads the reply to a look-up of one number: `[{exists, jid, number}]`, where `jid` is the network's form of it.
 *
 * @param asked the number as it was sent
 * @returns `null` if the network hasn't the number; `undefined` if the reply is something else
 */
export function readNumberLookup(reply: unknown, asked: string): Identity | null | undefined {
	const rows = listOf(reply);
	const [row] = rows;
	if (rows.length !== 1 || !isRecord(row) || (textOf(row.number) ?? asked) !== asked) return undefined;
	if (row.exists === false) return null;
	return row.exists === true ? identityOf(textOf(row.jid)) : undefined;
}
