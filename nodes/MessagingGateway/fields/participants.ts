import type { INodeProperties } from 'n8n-workflow';

/** The field for people, the same in every operation that changes something about them. */
export const participantsField: INodeProperties = {
	displayName: 'Participants',
	name: 'participants',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. +55 11 99999-0001, +55 21 98888-0002',
	description:
		'Phone numbers with country code, separated by commas, semicolons or line breaks, or a list from an expression',
};
