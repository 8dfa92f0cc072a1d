import { isRecord, listOf, textOf } from '../../common/json';
import { identityOf, type Identity } from '../../groups/identity';

/** Reads the reply to a number's look-up: `[{exists, jid, number}]`. @returns `null` if the network hasn't it; `undefined` for anything else */
export function readNumberLookup(reply: unknown, asked: string): Identity | null | undefined {
	const rows = listOf(reply);
	const [row] = rows;
	if (rows.length !== 1 || !isRecord(row) || (textOf(row.number) ?? asked) !== asked) return undefined;
	if (row.exists === false) return null;
	return row.exists === true ? identityOf(textOf(row.jid)) : undefined;
}
