/** `prowess capability test`: runs the cases beside capabilities and says which of them failed, and what they did not reach. */
import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import type { CapabilityManifest } from '../../../protocol/capability/manifest.ts';
import { makeOwnTemporaryFolder } from '../../../machine/home-files/own-temporary-folder.ts';
import { isExistingFolder } from '../../../machine/paths/is-folder.ts';
import type { JudgedCase, TestedCapability } from '../../../protocol/capability/tested-capability.ts';
import { isProwessError, ProwessError } from '../../../protocol/errors/errors.ts';
import { inEnglish } from '../../../protocol/text/text.ts';
import { problemText } from '../../../protocol/manifest/problem.ts';
import type { WorkerTool } from '../../../protocol/manifest/worker-tools.ts';
import type { CommandContext, Invocation } from '../../invocation/command.ts';
import { exitCodes } from '../../terminal/exit-codes.ts';
import { visibleLine } from '../../terminal/visible.ts';
import { formatJson } from '../../invocation/print-result.ts';
import { type CapabilityCase, readCases } from './case-file.ts';
import type { CaseHost } from './case-host.ts';
import { runCase } from './run-case.ts';

/** Cases side by side; each has a host of its own. */
const MOST_AT_ONCE = 4;

/** Resolves with the exit code, as commands do. */
export async function testCapabilities(
	host: CaseHost,
	invocation: Invocation,
	context: CommandContext,
): Promise<number> {
	const chosen = await chooseTested(host, invocation, context);
	const tested: TestedCapability[] = [];
	const root = await makeOwnTemporaryFolder('prowess-cases-');
	context.onKill(() => root.remove());
	try {
		for (const [folder, files] of chosen) {
			context.signal.throwIfAborted();
			const each = await testCapability(root.path, folder, files, host, context);
			tested.push(each);
			if (!invocation.switches.has('json')) context.terminal.out(formatTested(each));
		}
	} finally {
		await root.remove();
	}
	const cases = tested.flatMap((each) => each.cases);
	const failed = cases.filter(({ failures }) => failures.length > 0).length;
	const problems = tested.flatMap((each) => each.problems).length;
	if (invocation.switches.has('json')) context.terminal.out(formatJson(tested));
	else context.terminal.out(`${cases.length - failed} passed, ${failed + problems} failed\n`);
	return cases.length > 0 && failed + problems === 0 ? exitCodes.done : exitCodes.failed;
}

export interface TestedPackage {
	readonly passed: number;
	/** Cases that did not pass, and files of cases that are none. */
	readonly failed: number;
	/** Lines for the author. */
	readonly report: string;
}

/**
 * Runs the cases of what is to be packed, and none of them without a sandbox: whoever packs it may not have written it. A
 * folder that holds no capability has no cases.
 */
export async function testPackage(host: CaseHost, folder: string, context: CommandContext): Promise<TestedPackage> {
	const { manifest, cases, problems } = await inspectTested(folder, host);
	if (manifest === undefined || cases.length + problems.length === 0) return { passed: 0, failed: 0, report: '' };
	const options = { workspace: undefined, approvalMode: 'never' } as const;
	const sandbox = await host.withHost({ ...noOptions, operands: [] }, context, options, async (opened) => {
		return await (await opened.trustedBase()).commandSandbox();
	});
	if (!sandbox.works) {
		const lines = [...problems, `its cases were not run, because there is no sandbox: ${inEnglish(sandbox.why)}`];
		return { passed: 0, failed: problems.length, report: lines.map((line) => `${visibleLine(line)}\n`).join('') };
	}
	const root = await makeOwnTemporaryFolder('prowess-cases-');
	context.onKill(() => root.remove());
	try {
		const tested = await testCapability(root.path, folder, allCases, host, context);
		const failed = tested.cases.filter(({ failures }) => failures.length > 0).length + tested.problems.length;
		return { passed: tested.cases.length + tested.problems.length - failed, failed, report: formatTested(tested) };
	} finally {
		await root.remove();
	}
}

/** Cases of a capability to run, by their files as `tests/name.yaml`; undefined: all. */
type ChosenCases = ReadonlySet<string> | undefined;
const allCases: ChosenCases = undefined;

/** Chosen cases by the folders of capabilities. */
type ChosenByFolder = ReadonlyMap<string, ChosenCases>;

const noOptions = { values: {}, lists: {}, switches: new Set<string>() } as const;

/**
 * Folders and files of cases that are named, or folders of the capabilities that are; without a name, all of the user and the
 * project. Rejects with CAPABILITY_NOT_FOUND.
 */
async function chooseTested(
	{ trustedWorkspace, withHost }: CaseHost,
	invocation: Invocation,
	context: CommandContext,
): Promise<ChosenByFolder> {
	const { operands } = invocation;
	if (operands.length > 0 && operands.every(isPlace)) return chooseNamed(operands);
	const workspace = trustedWorkspace(invocation, context, 'capability test');
	return await withHost(invocation, context, { workspace, approvalMode: 'never' }, async (host) => {
		const { capabilities } = await (await host.trustedBase()).registry.state();
		if (operands.length === 0) {
			return chooseNamed(capabilities.filter(({ source }) => source !== 'built-in').map(({ path }) => path));
		}
		const places = operands.map((name) => {
			if (isPlace(name)) return name;
			const found = capabilities.find(
				({ manifest }) => manifest?.name === name || `${manifest?.type}/${manifest?.name}` === name,
			);
			if (found === undefined)
				throw new ProwessError('CAPABILITY_NOT_FOUND', `there is no capability ${name}`, { name });
			return found.path;
		});
		return chooseNamed(places);
	});
}

/** `…/tests/name.yaml` */
const isCaseFile = (place: string) => /[\\/]tests[\\/][^\\/]+\.ya?ml$/.test(resolve(place));
const isPlace = (operand: string) => isExistingFolder(resolve(operand)) || isCaseFile(operand);

/** A folder that is named chooses all of its cases, whatever files of it are named beside. */
function chooseNamed(places: readonly string[]): ChosenByFolder {
	const toCapabilityFolder = (place: string) => (isExistingFolder(place) ? place : resolve(place, '../..'));
	const byFolder = Map.groupBy(
		places.map((place) => resolve(place)),
		toCapabilityFolder,
	);
	return new Map(
		[...byFolder].map(([folder, some]) => [
			folder,
			some.includes(folder) ? allCases : new Set(some.map((file) => `tests/${basename(file)}`)),
		]),
	);
}

interface InspectedCapability {
	/** Undefined: it cannot be run, and `problems` say why. */
	readonly manifest: CapabilityManifest | undefined;
	readonly tools: readonly Pick<WorkerTool, 'name'>[];
	readonly cases: readonly CapabilityCase[];
	readonly problems: readonly string[];
}

/** Reads a capability with its cases. A fault is a failure beside those of others, not the end of all. */
async function inspectTested(folder: string, host: CaseHost): Promise<InspectedCapability> {
	const unusable = { manifest: undefined, tools: [], cases: [] };
	try {
		const { manifest, problems, tools = [] } = await host.inspectFolder(folder);
		if (manifest === undefined || !('permissions' in manifest)) {
			const words = problems.map(problemText);
			return { ...unusable, problems: words.length === 0 ? ['it is no capability'] : words };
		}
		const read = readCases(await host.readCapabilityFiles(folder), host);
		return { manifest, tools, cases: read.cases, problems: read.problems.map(problemText) };
	} catch (error) {
		if (!isProwessError(error)) throw error;
		return { ...unusable, problems: [error.message] };
	}
}

async function testCapability(
	root: string,
	folder: string,
	chosen: ChosenCases,
	host: CaseHost,
	context: CommandContext,
): Promise<TestedCapability> {
	const { manifest, tools, cases: all, problems: found } = await inspectTested(folder, host);
	const read = chosen === undefined ? all : all.filter(({ file }) => chosen.has(file));
	const problems = chosen === undefined ? found : problemsOfChosen(chosen, all, found);
	if (manifest === undefined) {
		const [type, name] = ['capability', basename(folder)];
		return { path: folder, type, name, cases: [], problems, untestedTools: [], unusedPermissions: [] };
	}
	const cases = await runCases(read, context.signal, (each) => runCase(root, folder, manifest, each, host, context));
	const called = new Set(cases.map(({ tool }) => tool));
	return {
		path: folder,
		type: manifest.type,
		name: manifest.name,
		cases,
		problems,
		// Some of the cases say nothing of what all of them reach.
		untestedTools:
			chosen !== undefined || tools.length < 2 ? [] : tools.map(({ name }) => name).filter((name) => !called.has(name)),
		unusedPermissions: chosen !== undefined || cases.length === 0 ? [] : unusedPermissions(manifest, cases, host),
	};
}

/** Problems of the capability, and of the cases that were chosen. */
function problemsOfChosen(
	chosen: ReadonlySet<string>,
	all: readonly CapabilityCase[],
	found: readonly string[],
): string[] {
	const kept = found.filter((problem) => {
		const [, file] = /^(tests\/[^/:]+\.ya?ml):/.exec(problem) ?? [];
		return file === undefined || chosen.has(file);
	});
	const missing = [...chosen].filter(
		(wanted) => !all.some(({ file }) => file === wanted) && !kept.some((problem) => problem.startsWith(`${wanted}:`)),
	);
	return [...kept, ...missing.map((wanted) => `${wanted}:1: there is no such case`)];
}

/**
 * Runs cases side by side, and those that have a longest time alone, once the others have ended. Resolves with them in their
 * order. After the first fault no other case begins; it rejects once those that run have ended.
 */
async function runCases(
	read: readonly CapabilityCase[],
	signal: AbortSignal,
	run: (each: CapabilityCase) => Promise<JudgedCase>,
): Promise<JudgedCase[]> {
	const judged = new Map<CapabilityCase, JudgedCase>();
	const isTimed = ({ expect }: CapabilityCase) => expect.withinMs !== undefined;
	const faults: unknown[] = [];
	const runEach = async (left: Iterator<CapabilityCase, undefined> & Iterable<CapabilityCase>) => {
		for (const each of left) {
			if (faults.length > 0) return;
			try {
				signal.throwIfAborted();
				judged.set(each, await run(each));
			} catch (error) {
				faults.push(error);
			}
		}
	};
	for (const [some, jobs] of [
		[read.filter((each) => !isTimed(each)), Math.min(MOST_AT_ONCE, availableParallelism())],
		[read.filter(isTimed), 1],
	] as const) {
		const left = some.values();
		await Promise.all(Array.from({ length: jobs }, () => runEach(left)));
		if (faults.length > 0) throw faults[0];
	}
	return read.flatMap((each) => judged.get(each) ?? []);
}

function unusedPermissions(
	{ permissions }: Pick<CapabilityManifest, 'permissions'>,
	cases: readonly JudgedCase[],
	{ permissionOf }: Pick<CaseHost, 'permissionOf'>,
): string[] {
	const used = new Set(cases.flatMap((each) => each.ops).map(permissionOf));
	return permissions.filter((each) => !used.has(each));
}

function formatTested({
	type,
	name,
	cases,
	problems,
	untestedTools,
	unusedPermissions: unused,
}: TestedCapability): string {
	const lines = [
		`${type}/${name}`,
		...problems.map((problem) => `  ✗ ${problem}`),
		...cases.flatMap(({ name: called, tookMs, failures }) => [
			`  ${failures.length === 0 ? '✓' : '✗'} ${called} (${tookMs} ms)`,
			...failures.map(({ message }) => `      ${message}`),
		]),
		...(cases.length + problems.length === 0 ? ['  no cases: write one in tests/<name>.yaml'] : []),
		...(untestedTools.length === 0 ? [] : [`  tools without a case: ${untestedTools.join(', ')}`]),
		...(unused.length === 0 ? [] : [`  declared, and needed by no case: ${unused.join(', ')}`]),
	];
	return `${lines.map((line) => visibleLine(line)).join('\n')}\n`;
}
