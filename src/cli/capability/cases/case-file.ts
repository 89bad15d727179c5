/** Cases of a capability: the files `tests/*.yaml` beside its manifest, each with one case. */
import { type ManifestProblem, createTopPlace, manifestProblem } from '../../../protocol/manifest/problem.ts';
import { Permission } from '../../../protocol/ops/risk.ts';
import { SecretName } from '../../../protocol/ops/definitions/network/http.ts';
import { readStrictYaml } from '../../../protocol/manifest/strict-yaml.ts';
import * as z from '../../../protocol/text/zod.ts';
import type { CapabilityFiles } from '../../../catalog/capability-files.ts';
import type { CaseHost } from './case-host.ts';

const CASE_FILE = /^tests\/([^/]+)\.ya?ml$/;
const MAX_CASE_BYTES = 200_000;
const MAX_CASE_MS = 600_000;
/** Ops that only a person may allow, whose effect ends with the case. */
const GRANTED_OPS = ['secrets.read', 'secrets.write'] as const;

/** Relative to the folder that the case runs on, and in it. */
const casePath = z
	.string()
	.min(1)
	.max(1_000)
	.refine(
		(path) => !/^(?:[\\/]|[A-Za-z]:)/.test(path) && !path.split(/[\\/]/).includes('..'),
		'expected a path in the folder of the case',
	);

/** `isOp`: there is an op of that name. */
function caseSchema(isOp: (name: string) => boolean) {
	const op = z.string().refine(isOp, 'there is no such op');
	return z.strictObject({
		/** Absent: the name of the file. */
		name: z.string().trim().min(1).max(200).optional(),
		/** Tool of a capability that has several. */
		tool: z.string().min(1).max(100).optional(),
		params: z.unknown().optional(),
		/** Files of the folder that it runs on. */
		files: z.record(casePath, z.string()).default({}),
		/** Answers of the model, in order: a text, or a value that is sent as JSON. */
		model: z.array(z.unknown()).max(100).default([]),
		/** Ops to which the person says no. A call that leaves the folder is refused anyway. */
		refuse: z.array(op).max(100).default([]),
		/** The only secrets there are; redaction knows no shorter value. */
		secrets: z.record(SecretName, z.string().min(8).max(65_536)).default({}),
		/** Ops to which the person says yes. */
		grant: z.array(z.enum(GRANTED_OPS)).default([]),
		timeoutMs: z.int().positive().max(MAX_CASE_MS).default(60_000),
		expect: z.strictObject({
			/** Code of the error with which it ends; absent: it succeeds. */
			error: z.string().max(100).optional(),
			/** Part of the result: members that are named, lists whole. */
			result: z.unknown().optional(),
			/** Texts that the result contains, as JSON or as it is. */
			contains: z.array(z.string().min(1)).max(100).default([]),
			/** Content of files afterwards; null: there is none. */
			files: z.record(casePath, z.string().nullable()).default({}),
			/** Ops that were done: `fs.write`, or with a word of what they did it to: `fs.write notes.md`. */
			did: z
				.array(z.string().refine((words) => isOp(words.split(' ', 1)[0] ?? ''), 'begin with the name of an op'))
				.default([]),
			/** Ops that were not even asked for. */
			never: z.array(op).default([]),
			/** Permissions that its ops may need, and no others; absent: not looked at. */
			permissions: z.array(Permission).optional(),
			/** Ops that a person was asked about; absent: not looked at. */
			asked: z.array(op).optional(),
			/** Most requests to a model. */
			modelRequests: z.int().nonnegative().optional(),
			/** Longest time from start to result, in milliseconds. */
			withinMs: z.int().positive().optional(),
		}),
	});
}

export type CapabilityCase = z.output<ReturnType<typeof caseSchema>> & {
	readonly name: string;
	/** Relative to the capability. */
	readonly file: string;
	/** Returns the line of what stands at that path in the file, or of the nearest above it that is there; from 1. */
	findLine(path: readonly (string | number)[]): number;
};

interface ReadCases {
	readonly cases: readonly CapabilityCase[];
	readonly problems: readonly ManifestProblem[];
}

/** Reads all cases; a file with a problem is no case. */
export function readCases({ files }: CapabilityFiles, { permissionOf }: Pick<CaseHost, 'permissionOf'>): ReadCases {
	const schema = caseSchema((name) => permissionOf(name) !== undefined);
	const cases: CapabilityCase[] = [];
	const problems: ManifestProblem[] = [];
	for (const { path, bytes } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
		const [, stem] = CASE_FILE.exec(path) ?? [];
		if (stem === undefined) continue;
		if (bytes.length > MAX_CASE_BYTES) {
			const message = `more than ${MAX_CASE_BYTES} bytes; split the case, or make its files smaller`;
			problems.push(manifestProblem('error', message, createTopPlace(path)));
			continue;
		}
		const yaml = readStrictYaml(bytes.toString('utf8'), path);
		const { data, error } = schema.safeParse(yaml.value);
		if (yaml.problems.length > 0) {
			problems.push(...yaml.problems);
		} else if (data === undefined) {
			for (const { path: at, message } of error?.issues ?? []) {
				problems.push(
					yaml.problemAt(
						'error',
						at.filter((part) => typeof part !== 'symbol'),
						message,
					),
				);
			}
		} else {
			const findLine: CapabilityCase['findLine'] = (at) => yaml.problemAt('error', at, '').line;
			cases.push({ ...data, name: data.name ?? stem, file: path, findLine });
		}
	}
	return { cases, problems };
}
