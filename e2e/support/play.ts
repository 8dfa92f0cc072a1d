import { isRecord } from '../../nodes/MessagingGateway/common/json';
import { toJid, type Gateway } from '../../test/gateway/gateway';
import type { Line } from '../lines';
import { until } from './children';
import { resultOf } from './executions';
import type { Gate } from './gate';
import { locator } from './published';
import type { Rest } from './rest';
import { nextRun, publishScheduled } from './scheduled';
import { DAY, INSTANCE, older, type Story } from './stories';
import { Table } from './tables';
import { rememberedBy, Truth } from './truth';
import { callWebhook, publishWebhook } from './webhook';

/** What stays as it is while n8n is started again. */
interface Stage {
	gateway: Gateway;
	gate: Gate;
	line: Line;
}

/** A story on its way, in an n8n whose interface may be another one after each restart. */
export class Play {
	/** Its executions. */
	readonly runs: string[] = [];
	private readonly truth: Truth;
	/** How much the gateway had been asked for in the nights before. */
	private askedBefore = 0;

	private constructor(
		private readonly stage: Stage,
		private readonly story: Story,
		private readonly id: string,
	) {
		this.truth = new Truth(stage.gateway, INSTANCE, story.group);
	}

	/** Publishes the story's example, for a group with the members that the story begins with. */
	static async begin(stage: Stage, rest: Rest, story: Story): Promise<Play> {
		const { network } = stage.gateway;
		for (const phone of story.members) network.join(INSTANCE, story.group, phone);
		return new Play(stage, story, await publishScheduled(rest, stage, story));
	}

	/** Lets happen what happens before a night. */
	async day(rest: Rest, night: number): Promise<void> {
		const { story, truth } = this;
		const { network } = this.stage.gateway;
		this.askedBefore = truth.asked().length;
		truth.look();
		const place = [INSTANCE, story.group] as const;
		const list = async () => await Table.named(rest, story.table);
		if (night > 0 && story.forgets !== true) await makeOlder(await list());
		await story.days[night]?.({
			list,
			join: (phone) => network.join(...place, phone),
			leave: (phone) => network.leave(...place, phone),
			alone: async (phone) => {
				const parameters = { operation: 'syncParticipants', instance: locator('name', INSTANCE) };
				const group = locator('id', story.group);
				const options = { memory: '={{ $json.memory }}', batchInterval: 0 };
				await publishWebhook(rest, story.group, { ...parameters, group, options });
				const [item] = await callWebhook(rest, story.group, [phone]);
				return String(item?.memory);
			},
		});
		truth.look();
	}

	/** Has the schedule start a run, and n8n lose it when its first additions are made and it hasn't heard of them. */
	async lose(rest: () => Rest, kill: (run: string) => Promise<void>): Promise<void> {
		let areMade: true | undefined;
		this.stage.gateway.fault({
			kind: 'hang-after',
			times: 1,
			on: ({ body }) => isRecord(body) && body.action === 'add',
			happening: () => (areMade = true),
		});
		const run = await this.stage.gate.letOne(this.id);
		await until('The additions', () => areMade);
		await kill(run);
		// Depends on which part of n8n finds out first.
		expect(['crashed', 'error']).toContain((await resultOf(rest(), run)).status);
	}

	/** Has the schedule start a run, and compares what its rows say with the gateway's truth. */
	async night(rest: Rest, night: number): Promise<void> {
		const { story, truth } = this;
		truth.look();
		const { id, status, mode, error } = await nextRun(rest, this.stage.gate, this.id);
		this.runs.push(id);
		truth.look();

		expect({ status, mode, error }).toEqual({ status: 'success', mode: 'trigger' });
		const asked = truth.asked().slice(this.askedBefore);
		const words = asked.map(({ action, jid }) => `${action} +${jid.split('@')[0]}`);
		expect(words.sort()).toEqual(story.asked[night]);
		const rows = await (await Table.named(rest, story.table)).rows();
		const expected = Object.entries(story.outcomes).map(([phone, outcomes]) => [phone, outcomes[night]]);
		expect(rows.map(({ phone, outcome }) => [phone, outcome]).sort()).toEqual(
			expected.filter(([, outcome]) => outcome !== null).sort(),
		);
		if (story.forgets === true) return;
		const facts = rows.map(({ phone, memory }) => [phone, rememberedBy(memory)] as const);
		expect(facts).toEqual(rows.map(({ phone }) => [phone, truth.of(String(phone))]));
		const members = facts.filter(([, known]) => known.includes('member'));
		expect(members.map(([phone]) => toJid(String(phone))).sort()).toEqual(truth.members());
	}
}

/** Lets the memories of all rows be written a day earlier: their dates are in minutes, and a test has seconds. */
export async function makeOlder(table: Table): Promise<void> {
	for (const { phone, memory } of await table.rows())
		await table.change('phone', String(phone), { memory: older(memory, DAY) });
}
