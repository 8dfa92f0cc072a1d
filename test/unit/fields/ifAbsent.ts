import type { INodeProperties } from 'n8n-workflow';

/** What holds as long as an option isn't added. */
export function valueIfAbsent({ name, default: usual }: INodeProperties): unknown {
	return typeof usual === 'boolean' && name !== 'includeSecrets' ? !usual : usual;
}
