/** A host on which no capability is installed. */
import type { OpDeps } from '../../src/ops/op-deps.ts';
import { ProwessError } from '../../src/protocol/errors.ts';

const none = () => new ProwessError('CAPABILITY_NOT_FOUND', 'there are no capabilities here');
const unknown = () => new ProwessError('INVALID_REQUEST', 'there are no executions here');

export const noCapabilities: OpDeps['capabilities'] = {
	available: () => Promise.resolve({ capabilities: [], broken: [], isComplete: true }),
	offered: () => Promise.resolve(undefined),
	usedHere: () => Promise.resolve(new Map()),
	find: () => Promise.reject(none()),
	load: () => Promise.reject(none()),
	bodyOf: () => Promise.reject(none()),
	start: () => Promise.reject(none()),
	wait: () => Promise.reject(unknown()),
	waitOrStop: () => Promise.reject(unknown()),
	stop: () => Promise.reject(unknown()),
	listFor: () => [],
	info() {
		throw unknown();
	},
};
