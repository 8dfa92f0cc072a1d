import type { Access } from '../gateway-host';
import type { Call, Job } from '../jobs/job';

/** Sends the fewest calls in sequence, with nothing but `fetch`. @returns what they answer */
export async function fetchInSequence(job: Job, access: Access): Promise<unknown[]> {
	const answers: unknown[] = [];
	for (const call of job.fewest()) {
		const response = await send(call, access);
		answers.push(...job.answersIn(await response.json()));
	}
	return answers;
}

/** Sends one call. */
export async function send({ method, path, body }: Call, { baseUrl, apiKey }: Access): Promise<Response> {
	return await fetch(baseUrl + path, {
		method,
		headers: { apikey: apiKey, 'content-type': 'application/json' },
		...(body && { body: JSON.stringify(body) }),
	});
}
