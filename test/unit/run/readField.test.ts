import { FieldReader } from '../../../nodes/MessagingGateway/run/readField';

describe('a field that is read by itself', () => {
	it('has its value', () => {
		const fields = new FieldReader();

		expect(fields.read(() => 5)).toBe(5);
		expect(fields.problem).toBeUndefined();
	});

	it('has none where it is bad, which ends nothing; what is wrong with the first is known', () => {
		const fields = new FieldReader();
		const bad = (message: string) =>
			fields.read(() => {
				throw new Error(message);
			});

		expect([bad('Bad value'), fields.read(() => 6), bad('Worse')]).toEqual([undefined, 6, undefined]);
		expect(fields.problem).toEqual(new Error('Bad value'));
	});
});
