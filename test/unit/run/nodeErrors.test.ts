import '../realN8n';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { toNodeError } from '../../../nodes/MessagingGateway/run/nodeErrors';
import { toGatewayFailure } from '../../../nodes/MessagingGateway/gateway/failures/gatewayFailure';
import { Problem } from '../../../nodes/MessagingGateway/common/problem';
import { NODE } from './context';

const failure = toGatewayFailure({
	baseUrl: 'https://x.example',
	timeout: 1,
	status: 500,
	message: 'KEY-0000 is wrong',
	errorText: '',
});

describe('an error of the node', () => {
	it('of a call has its status, and of anything else has none', () => {
		expect(toNodeError(NODE, failure, [], 2)).toBeInstanceOf(NodeApiError);
		expect(toNodeError(NODE, failure, [], 2)).toMatchObject({ httpCode: '500', context: { itemIndex: 2 } });
		expect(toNodeError(NODE, new Problem('Bad', 'Change it'), [], 2)).toBeInstanceOf(NodeOperationError);
	});

	it('has no item where it is about the whole node', () => {
		expect(toNodeError(NODE, failure, []).context).not.toHaveProperty('itemIndex');
	});

	it('keeps words that n8n would take for a code', () => {
		const problem = new Problem('The bot ECONNRESET is not there', 'Change it');

		expect(toNodeError(NODE, problem, []).message).toBe('The bot ECONNRESET is not there');
	});

	it('has nothing secret in any of its fields', () => {
		const error = toNodeError(NODE, failure, ['KEY-0000'], 0);

		expect(error.message).toContain('is wrong');
		expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain(
			'KEY-0000',
		);
	});

	it.each([[undefined], ['text'], [{}], [new Error('')]])(
		'is there for whatever was thrown: %p',
		(thrown) => {
			expect(toNodeError(NODE, thrown, []).message).toBe('Something unexpected happened');
		},
	);

	it('stays as it is', () => {
		const error = toNodeError(NODE, failure, []);
		expect(toNodeError(NODE, error, [])).toBe(error);
	});
});
