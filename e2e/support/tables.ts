import { isRecord } from '../../nodes/MessagingGateway/common/json';
import type { Rest } from './rest';

/** A row of a Data Table, with what n8n adds to it. */
export type Row = Record<string, unknown> & { id: number };

/** A column of a Data Table. */
export interface Column {
	name: string;
	type: string;
}

/** A Data Table of n8n's, as a person sees and edits it. */
export class Table {
	private readonly path: string;

	private constructor(
		private readonly rest: Rest,
		projectId: string,
		readonly id: string,
	) {
		this.path = `/rest/projects/${projectId}/data-tables/${id}`;
	}

	/** Makes a table, as the signed-in person does in the tab of tables. */
	static async create(rest: Rest, name: string, columns: Column[]): Promise<Table> {
		const projectId = idIn(await rest.get('/rest/projects/personal'));
		const table = await rest.post(`/rest/projects/${projectId}/data-tables`, { name, columns });
		return new Table(rest, projectId, idIn(table));
	}

	/** Finds a table of the signed-in person. @throws where there is none with that name */
	static async named(rest: Rest, name: string): Promise<Table> {
		const filter = encodeURIComponent(JSON.stringify({ name }));
		const [table] = listed(await rest.get(`/rest/data-tables-global?filter=${filter}`));
		if (table === undefined) throw new Error(`n8n has no Data Table "${name}"`);
		return new Table(rest, String(table.projectId), idIn(table));
	}

	/** All rows, in the order in which they were added. n8n 1.x gives at most 50 at once. */
	async rows(): Promise<Row[]> {
		const all: Row[] = [];
		for (;;) {
			const page = listed(await this.rest.get(`${this.path}/rows?take=50&skip=${all.length}&sortBy=id:asc`));
			all.push(...(page as Row[]));
			if (page.length < 50) return all;
		}
	}

	async add(...rows: object[]): Promise<void> {
		await this.rest.post(`${this.path}/insert`, { data: rows, returnType: 'count' });
	}

	/** Changes the rows in which a column has this value. */
	async change(column: string, value: string, data: object): Promise<void> {
		await this.rest.patch(`${this.path}/rows`, { filter: matching(column, value), data });
	}

	/** Deletes the rows in which a column has this value. */
	async remove(column: string, value: string): Promise<void> {
		const filter = encodeURIComponent(JSON.stringify(matching(column, value)));
		await this.rest.delete(`${this.path}/rows?filter=${filter}`);
	}
}

function matching(columnName: string, value: string): object {
	return { type: 'and', filters: [{ columnName, condition: 'eq', value }] };
}

function idIn(reply: unknown): string {
	if (isRecord(reply) && typeof reply.id === 'string') return reply.id;
	throw new Error(`n8n gave no id: ${JSON.stringify(reply)}`);
}

function listed(reply: unknown): Array<Record<string, unknown>> {
	const rows: unknown = isRecord(reply) ? reply.data : undefined;
	if (!Array.isArray(rows)) throw new Error(`n8n gave no list: ${JSON.stringify(reply)}`);
	return rows.filter(isRecord);
}
