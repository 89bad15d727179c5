/** A host on which no capability is installed. */
import type { CapabilityDeps } from '../../src/ops/agent/capability-deps.ts';
import { ProwessError } from '../../src/protocol/errors/errors.ts';

const none = () => new ProwessError('CAPABILITY_NOT_FOUND', 'there are no capabilities here');
const unknown = () => new ProwessError('INVALID_REQUEST', 'there are no executions here');

export const noCapabilities: CapabilityDeps['capabilities'] = {
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
	follow: () => ({ dispose() {} }),
	wasStoppedByUser: () => false,
	info() {
		throw unknown();
	},
};
