/**
 * Tools of other agents, as `allowed-tools` of a SKILL.md names them, and the ops that do here what they do there. The gate
 * and the executors read the same list, so that what a person agreed to is what a model is given. Types of ops are its
 * only imports, because executors start without the schemas.
 */
import type { OpName } from './ops.ts';

const commandOps = ['shell.run', 'shell.output', 'shell.stop'] as const satisfies readonly OpName[];

/** Ops by the name of a tool in lower case. */
const opsOfTool: ReadonlyMap<string, readonly OpName[]> = new Map<string, readonly OpName[]>([
	['read', ['fs.read']],
	['ls', ['fs.list']],
	['glob', ['fs.find']],
	['grep', ['search.text']],
	['write', ['fs.write']],
	['edit', ['fs.edit']],
	['multiedit', ['fs.edit']],
	['notebookedit', ['fs.edit']],
	['bash', commandOps],
	['shell', commandOps],
	['webfetch', ['http.get']],
	['websearch', ['web.search']],
	['todowrite', ['todo.write']],
	['askuserquestion', ['user.ask']],
]);

/** Ops of a tool of another agent, in whatever case it is written; undefined for a tool that has none here. */
export function opsOfForeignTool(tool: string): readonly OpName[] | undefined {
	return opsOfTool.get(tool.toLowerCase());
}
