/** Environment of an executor: none of the host's variables but those that tell where it is in the world. */

/** Identifiers of the execution that an executor runs, and of those it belongs to. */
export interface ExecutionVariables {
	readonly sideExecutionId: string;
	readonly threadId: string | null;
	readonly parentAgentId: string | null;
	readonly parentAgentInstanceId: string | null;
	readonly capabilityPath: string;
}

/** `variables` are undefined for a process that waits for its execution. */
export function executionEnvironment(
	host: Readonly<Record<string, string | undefined>>,
	scratch: string,
	variables: ExecutionVariables | undefined,
	platform: NodeJS.Platform = process.platform,
): Record<string, string> {
	const given: Record<string, string | undefined> = {
		PATH: platform === 'win32' ? undefined : '/usr/local/bin:/usr/bin:/bin',
		// Without it no program of Windows starts.
		SYSTEMROOT: platform === 'win32' ? host['SYSTEMROOT'] : undefined,
		LANG: host['LANG'],
		TZ: host['TZ'],
		HOME: scratch,
		TMPDIR: scratch,
		TEMP: scratch,
		TMP: scratch,
		// In the editor, our own program is Electron.
		ELECTRON_RUN_AS_NODE: '1',
		IS_SIDE_EXECUTION: 'true',
		...(variables === undefined ? {} : namedVariables(variables)),
	};
	return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export function namedVariables({
	sideExecutionId,
	threadId,
	parentAgentId,
	parentAgentInstanceId,
	capabilityPath,
}: ExecutionVariables): Record<string, string> {
	return {
		SIDE_EXECUTION_ID: sideExecutionId,
		THREAD_ID: threadId ?? '',
		PARENT_AGENT_ID: parentAgentId ?? '',
		PARENT_AGENT_INSTANCE_ID: parentAgentInstanceId ?? '',
		ACTION_BLOCK_PATH: capabilityPath,
	};
}
