import { isRecord } from '../../nodes/MessagingGateway/common/json';
import type { Gateway } from '../../test/gateway/gateway';
import type { Line } from '../lines';
import { until } from './children';
import { given, resultOf } from './executions';
import type { Gate } from './gate';
import { locator } from './published';
import type { Rest } from './rest';
import { nextRun, publishScheduled } from './scheduled';
import { INSTANCE, type Story } from './stories';
import { Table } from './tables';
import { Truth } from './truth';
import { callWebhook, publishWebhook } from './webhook';

/** What stays as it is while n8n is started again. */
interface Stage {
	gateway: Gateway;
	gate: Gate;
	line: Line;
}

/** A story on its way, in an n8n whose interface may be another one after each restart. */
export class Play {
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

	/** Publishes the story's example, for a group with the members that the story begins with. Its first run makes the table. */
	static async begin(stage: Stage, rest: Rest, story: Story): Promise<Play> {
		const { network } = stage.gateway;
		for (const phone of story.members) network.join(INSTANCE, story.group, phone);
		const id = await publishScheduled(rest, stage, story);
		await nextRun(rest, stage.gate, id);
		return new Play(stage, story, id);
	}

	/** Lets happen what happens before a night. */
	async day(rest: Rest, night: number): Promise<void> {
		const { story, truth } = this;
		const { network } = this.stage.gateway;
		this.askedBefore = truth.asked().length;
		const place = [INSTANCE, story.group] as const;
		await story.days[night]?.({
			list: async () => await Table.named(rest, story.table),
			join: (phone) => network.join(...place, phone),
			leave: (phone) => network.leave(...place, phone),
			alone: async (phone) => {
				const parameters = { operation: 'syncParticipants', instance: locator('name', INSTANCE) };
				const group = locator('id', story.group);
				const options = { batchInterval: 0 };
				await publishWebhook(rest, story.group, { ...parameters, group, options });
				await callWebhook(rest, story.group, [phone]);
			},
		});
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

	/** Has the schedule start a run, and compares what it asks for with the gateway's truth. */
	async night(rest: Rest, night: number): Promise<void> {
		const { story, truth } = this;
		const { status, mode, error, ...run } = await nextRun(rest, this.stage.gate, this.id);

		expect({ status, mode, error }).toEqual({ status: 'success', mode: 'trigger' });
		const asked = truth.asked().slice(this.askedBefore);
		const words = asked.map(({ action, jid }) => `${action} +${jid.split('@')[0]}`);
		expect(words.sort()).toEqual(story.asked[night]);
		// Rows have their numbers as they are entered.
		const results = given(run, 'Sync participants').map(({ participant, outcome }) => {
			return { phone: String(participant).replace(/^\+?/, '+'), outcome };
		});
		const expected = Object.entries(story.outcomes).map(([phone, outcomes]) => [phone, outcomes[night]]);
		expect(results.map(({ phone, outcome }) => [phone, outcome]).sort()).toEqual(
			expected.filter(([, outcome]) => outcome !== null).sort(),
		);
	}
}
