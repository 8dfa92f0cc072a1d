import type { ICredentialsHelper, INodeParameters, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import type { Line } from './line';

const BASE_URL = 'http://localhost:5678';

/** The server's side of an execution; what only a whole server can do throws when it is asked for. */
export function createAdditionalData(
	line: Line,
	credentialsHelper: ICredentialsHelper,
	{
		executionId,
		currentNodeParameters,
	}: { executionId?: string; currentNodeParameters?: INodeParameters } = {},
): IWorkflowExecuteAdditionalData {
	const serverOnly = async (): Promise<never> => {
		throw new Error('Only a whole n8n server can do this');
	};
	return {
		credentialsHelper,
		executeWorkflow: serverOnly,
		getRunExecutionData: serverOnly,
		getRuntimeCredential: serverOnly,
		startRunnerTask: serverOnly,
		externalSecretsProxy: new line.core.ExternalSecretsProxy(),
		logAiEvent: () => {},
		...(executionId !== undefined && { executionId }),
		currentNodeExecutionIndex: 0,
		variables: {},
		restApiUrl: `${BASE_URL}/rest`,
		instanceBaseUrl: BASE_URL,
		formBaseUrl: `${BASE_URL}/form`,
		formWaitingBaseUrl: `${BASE_URL}/form-waiting`,
		formTestBaseUrl: `${BASE_URL}/form-test`,
		webhookBaseUrl: `${BASE_URL}/webhook`,
		webhookWaitingBaseUrl: `${BASE_URL}/webhook-waiting`,
		webhookTestBaseUrl: `${BASE_URL}/webhook-test`,
		mcpBaseUrl: `${BASE_URL}/mcp`,
		mcpTestBaseUrl: `${BASE_URL}/mcp-test`,
		...(currentNodeParameters && { currentNodeParameters }),
	};
}
