/**
 * Capabilities that the user is writing: they agreed to run what they make of each while they work on it. Kept in memory,
 * so that the answer ends with its host. Covered are starts by the user alone, and only as long as the capability asks for no more
 * than it did when they agreed.
 */
import { join, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { WorkspaceFolder } from '../../../contract/ports/ports.ts';
import { compareRisk } from '../../../protocol/ops/risk.ts';
import { text } from '../../../protocol/text/text.ts';
import type { ConsentSubject } from './consent-detail.ts';

/** Capabilities that the user works on at the same time; the oldest are asked about again. */
const MAX_WORKED_ON = 50;

export const WHILE_WORKED_ON = text(
	'Covers your own runs until this window closes, also after its files change. You are asked again if it asks for more, while a command runs, and after an agent of this window changes its files.',
);

/**
 * True for a folder of the project that runs in our own executor, behind walls that were tried. Tools that run without asking
 * after a consent need a consent to the content.
 */
export function isAuthored({ capability, executor, runsOwnCode, sandbox }: ConsentSubject): boolean {
	const { source, manifest } = capability;
	const isOwn = source === 'project' && executor.folder === undefined && (manifest.allowedTools ?? []).length === 0;
	return isOwn && (!runsOwnCode || sandbox !== 'none');
}

export class WorkedOn {
	/** Agreed subjects by folder, in the order in which they were agreed to. */
	readonly #subjects = new Map<string, ConsentSubject>();

	begin(subject: ConsentSubject): void {
		const { path } = subject.capability;
		this.#subjects.delete(path);
		this.#subjects.set(path, subject);
		const [oldest] = this.#subjects.keys();
		if (this.#subjects.size > MAX_WORKED_ON && oldest !== undefined) this.#subjects.delete(oldest);
	}

	covers(subject: ConsentSubject): boolean {
		const agreed = this.#subjects.get(subject.capability.path);
		return agreed !== undefined && isAuthored(subject) && asksForNoMore(subject, agreed);
	}

	/** `paths` as workspaces have them: below the one folder, or with the name of a folder before them. */
	changedByOthers(paths: readonly string[], folders: readonly WorkspaceFolder[]): void {
		const changed = folders.flatMap(({ name, path: root }) =>
			paths.map((path) =>
				join(root, folders.length > 1 && path.startsWith(`${name}/`) ? path.slice(name.length + 1) : path),
			),
		);
		for (const folder of this.#subjects.keys()) {
			if (changed.some((path) => path.startsWith(folder + sep))) this.#subjects.delete(folder);
		}
	}

	end(): void {
		this.#subjects.clear();
	}
}

/** Compares what may only shrink as such; whatever else gives a right, or takes a wall away, stays the same. */
function asksForNoMore(now: ConsentSubject, agreed: ConsentSubject): boolean {
	const [rights, before] = [now.capability.manifest, agreed.capability.manifest];
	const isWithin = (some: readonly string[] = [], all: readonly string[] = []) =>
		some.every((each) => all.includes(each));
	return (
		compareRisk(rights.level, before.level) <= 0 &&
		isWithin(rights.permissions, before.permissions) &&
		isWithin(rights.provides, before.provides) &&
		isDeepStrictEqual(fixedParts(now), fixedParts(agreed))
	);
}

function fixedParts({
	capability: { manifest, overrides },
	executor,
	sandbox,
	runsOwnCode,
	keptIn,
}: ConsentSubject): unknown {
	const { type, name, context, databases, tools, runtime, instructions, budget, modelInvocable } = manifest;
	const { program, channel, worker } = executor;
	const above = overrides.map(({ path }) => path);
	return {
		type,
		name,
		context,
		databases,
		tools,
		runtime,
		instructions,
		budget,
		modelInvocable,
		above,
		program,
		channel,
		worker,
		sandbox,
		runsOwnCode,
		keptIn,
	};
}
