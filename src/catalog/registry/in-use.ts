/** Capabilities and executors as they are used, made of what the registry has read; it throws what is wrong with the rest. */
import { join } from 'node:path';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { CODEBOLT_EXECUTOR } from '../../protocol/execution/execution.ts';
import type { Executor } from '../executors.ts';
import { type CapabilityItem, errorsIn, errorsSaid, type ExecutorItem } from './items.ts';
import { executorItemFor } from './resolve.ts';
import type { Capability, IsOff } from './sources/capability-source.ts';

/** Throws INVALID_CAPABILITY_CONFIG with the reason when it cannot be used. */
export function toCapability({
	manifest,
	path,
	source,
	overrides,
	problems,
}: Pick<CapabilityItem, 'manifest' | 'path' | 'source' | 'overrides' | 'problems'>): Capability {
	if (manifest === undefined) {
		const [first] = problems.filter(({ severity }) => severity === 'error');
		const facts = { path, line: first?.line ?? 1, said: errorsSaid(path, { problems }) };
		throw new ProwessError('INVALID_CAPABILITY_CONFIG', errorsIn(path, { problems }), facts);
	}
	return { manifest, path, source, overrides };
}

/** Undefined when none runs the type. Throws INVALID_EXECUTOR_CONFIG when the one that would is broken. */
export function executorIn(
	executors: readonly ExecutorItem[],
	type: string,
	pin: string | undefined,
	isOff: IsOff,
): Executor | undefined {
	const item = executorItemFor(executors, type, pin, isOff);
	if (item !== undefined) {
		return toExecutor(item, executors.find(({ name, own }) => own !== undefined && name === CODEBOLT_EXECUTOR)?.own);
	}
	const broken = executors.find(
		({ manifest, name, types }) =>
			manifest === undefined && (pin === undefined ? types.includes(type) || name === type : name === pin),
	);
	if (broken !== undefined) {
		throw new ProwessError('INVALID_EXECUTOR_CONFIG', errorsIn(broken.path, broken), {
			path: broken.path,
			said: errorsSaid(broken.path, broken),
		});
	}
	return undefined;
}

function toExecutor({ path, manifest, own }: ExecutorItem, adapter: Executor | undefined): Executor {
	if (own !== undefined) {
		return own;
	}
	const program = join(path, manifest?.entryPoint ?? '');
	const named = manifest?.channel;
	return {
		program,
		readable: [join(path, '*')],
		folder: path,
		...(named === undefined ? {} : { named }),
		...(named === 'loopback' ? { channel: named } : adapter === undefined ? {} : { adapter }),
	};
}
