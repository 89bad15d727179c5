/** Reads and checks a script before anything of it runs: every problem has its path and line. */
import { createHash } from 'node:crypto';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { problemText } from '../../protocol/manifest/problem.ts';
import { readStrictYaml, type StrictYaml } from '../../protocol/manifest/strict-yaml.ts';
import { canonicalOp, isOpName, ops } from '../../protocol/op-table/ops.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import { inEnglish, text } from '../../protocol/text/text.ts';
import { listReferencedNames } from './fill.ts';
import { scriptLimits } from './limits.ts';
import { type Script, type ScriptStep, WrittenScript } from './script.ts';

type WrittenScriptStep = WrittenScript['steps'][number];
type Path = readonly (string | number)[];

interface KnownCapabilities {
	/** Resolves to true when a capability of that type and name takes effect. */
	hasCapability(type: string, name: string): Promise<boolean>;
}

const ROUND_ITEM = 'item';
const CAPABILITY_START_OP = 'capability.start';

/** Rejects with INVALID_PARAMS, all problems in its message, each as `file:line: path: what`. */
export async function parseScriptText(content: string, file: string, known: KnownCapabilities): Promise<Script> {
	if (content.length > scriptLimits.fileChars) {
		throw new ProwessError('INVALID_PARAMS', `${file}: more than ${scriptLimits.fileChars} characters`, {
			file,
			said: text('{file} has more than {n} characters.', { file, n: scriptLimits.fileChars }),
		});
	}
	const yaml = readStrictYaml(content, file);
	const problems = [...yaml.problems];
	const parsed = yaml.problems.length > 0 ? undefined : WrittenScript.safeParse(yaml.value);
	const addScriptProblem = (path: Path, message: string) => problems.push(yaml.problemAt('error', path, message));
	for (const { path, message } of parsed?.error?.issues ?? []) {
		addScriptProblem(
			path.filter((part) => typeof part !== 'symbol'),
			message,
		);
	}
	const written = parsed?.data;
	if (written !== undefined) {
		await checkSteps(written.steps, known, addScriptProblem);
	}
	if (written === undefined || problems.length > 0) {
		throw new ProwessError('INVALID_PARAMS', problems.map(problemText).join('\n'), {
			file,
			line: problems[0]?.line ?? 1,
		});
	}
	return {
		name: written.name,
		description: written.description,
		hash: createHash('sha256').update(content).digest('hex'),
		steps: orderSteps(written.steps).map((step) => toScriptStep(step, written.steps.indexOf(step), yaml)),
	};
}

async function checkSteps(
	steps: readonly WrittenScriptStep[],
	known: KnownCapabilities,
	say: (path: Path, message: string) => void,
): Promise<void> {
	const ids = steps.map(({ id }) => id);
	for (const [at, step] of steps.entries()) {
		const here = ['steps', at];
		if (ids.indexOf(step.id) < at || step.id === ROUND_ITEM) {
			say(
				[...here, 'id'],
				step.id === ROUND_ITEM ? '"item" is the round of "for"' : `there are two steps "${step.id}"`,
			);
		}
		for (const other of step.after.filter((each) => !ids.includes(each))) {
			say([...here, 'after'], `there is no step "${other}"`);
		}
		for (const name of listReferencedNames([step.with, step.for])) {
			if (name === ROUND_ITEM ? step.for === undefined : !ids.includes(name)) {
				say([...here, 'with'], name === ROUND_ITEM ? '${item} needs "for"' : `there is no step "${name}"`);
			}
		}
		await checkWork(step, here, known, say);
	}
	if (orderSteps(steps).length < steps.length) {
		const waiting = steps.filter((step) => !orderSteps(steps).includes(step)).map(({ id }) => id);
		say(['steps', ids.indexOf(waiting[0] ?? '')], `these steps wait for each other: ${waiting.join(', ')}`);
	}
}

async function checkWork(
	step: WrittenScriptStep,
	here: Path,
	known: KnownCapabilities,
	say: (path: Path, message: string) => void,
): Promise<void> {
	if ((step.op === undefined) === (step.capability === undefined)) {
		say(here, 'expected either "op" or "capability"');
		return;
	}
	if (step.capability !== undefined) {
		const [type = '', name = ''] = step.capability.split('/');
		if (!(await known.hasCapability(type, name))) {
			say([...here, 'capability'], `there is no capability ${step.capability}, or it is disabled`);
		}
		return;
	}
	const op = canonicalOp(step.op ?? '');
	const def: OpDef | undefined = isOpName(op) ? ops[op] : undefined;
	if (def === undefined) {
		say([...here, 'op'], `there is no op "${step.op}"`);
	} else if (def.callers?.includes('agent') === false) {
		say([...here, 'op'], `${op} is not for scripts`);
	} else if (listReferencedNames(step.with).length === 0) {
		for (const { path, message } of def.params.safeParse(step.with).error?.issues ?? []) {
			say([...here, 'with', ...path.filter((part) => typeof part !== 'symbol')], message);
		}
	}
}

/** Orders the steps that can run, each behind those it needs, otherwise as written. Steps in a circle are left out. */
function orderSteps(steps: readonly WrittenScriptStep[]): readonly WrittenScriptStep[] {
	const ordered: WrittenScriptStep[] = [];
	const isReady = ({ after, with: params, for: rounds }: WrittenScriptStep) =>
		[...after, ...listReferencedNames([params, rounds])].every(
			(name) => name === ROUND_ITEM || ordered.some(({ id }) => id === name),
		);
	for (;;) {
		const next = steps.find((step) => !ordered.includes(step) && isReady(step));
		if (next === undefined) return ordered;
		ordered.push(next);
	}
}

function toScriptStep(
	{ id, op, capability, with: params, for: rounds }: WrittenScriptStep,
	at: number,
	yaml: StrictYaml,
): ScriptStep {
	const { line } = yaml.problemAt('error', ['steps', at, 'id'], '');
	const [type = '', name = ''] = capability?.split('/') ?? [];
	const work =
		capability === undefined
			? { op: canonicalOp(op ?? ''), params }
			: { op: CAPABILITY_START_OP, params: { type, name, params } };
	return { id, ...work, rounds, line, title: createStepTitle(work, rounds !== undefined) };
}

function createStepTitle({ op, params }: Pick<ScriptStep, 'op' | 'params'>, isRepeated: boolean): string {
	const def: OpDef | undefined = isOpName(op) ? ops[op] : undefined;
	const read = listReferencedNames(params).length === 0 ? def?.params.safeParse(params).data : undefined;
	const title = read === undefined ? `${op} ${JSON.stringify(params)}` : inEnglish(def?.title(read) ?? op);
	return isRepeated ? `${title}, for each` : title;
}
