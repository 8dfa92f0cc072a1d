import { readField } from '../../../nodes/MessagingGateway/run/readField';

describe('a field that is read by itself', () => {
	it('has its value', () => {
		expect(readField(() => 5)).toStrictEqual({ value: 5 });
	});

	it('has what is wrong with it, which ends nothing', () => {
		const problem = new Error('Bad value');
		const reading = readField(() => {
			throw problem;
		});

		expect(reading).toStrictEqual({ problem });
	});
});
