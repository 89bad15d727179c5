/** A script as a skill of its own: the same steps, run with the rights that its manifest names and the user consents to. */
import { isOpName, ops } from '../../protocol/op-table/ops.ts';
import type { OpDef } from '../../protocol/ops/define-op.ts';
import { compareRisk, type Permission, type RiskLevel } from '../../protocol/ops/risk.ts';
import type { Script } from './script.ts';

/** Files of the skill, by their names. `name`: as a capability is called. */
export function keptScript({ description, name: title, steps }: Script, name: string, text: string) {
	const used = steps.flatMap(({ op }): OpDef[] => (isOpName(op) ? [ops[op]] : []));
	const permissions = [...new Set(used.map(({ permission }): Permission => permission))];
	const level = used.reduce<RiskLevel>((most, { risk }) => (compareRisk(risk, most) > 0 ? risk : most), 'MONITORED');
	const manifest = [
		`name: ${name}`,
		'type: skill',
		'version: 1.0.0',
		`description: ${JSON.stringify(description === '' ? title : description)}`,
		`level: ${level}`,
		`permissions: [${permissions.join(', ')}]`,
		'context: none',
		'inputs: []',
	];
	const plan = steps.map(({ id, op, params, rounds }) => ({ id, op, params, rounds }));
	return {
		'capability.yaml': `${manifest.join('\n')}\n`,
		'index.js': program.replace('STEPS', () => JSON.stringify(plan, null, '\t')),
		'script.yaml': text,
	} as const;
}

const program = `/** Made from script.yaml: its steps, one after the other. */
const steps = STEPS;

const REFERENCE = /\\$\\{([a-z][a-z0-9-]*)((?:\\.[A-Za-z0-9_-]+)*)\\}/g;

export async function execute(_, { host, progress }) {
	const results = {};
	for (const { id, op, params, rounds } of steps) {
		const [group, name] = op.split('.');
		const once = (given) => host[group][name](fill(params, given));
		progress(id);
		if (rounds === undefined) {
			results[id] = await once(results);
		} else {
			results[id] = [];
			for (const item of fill(rounds, results)) results[id].push(await once({ ...results, item }));
		}
		const failed = [results[id]].flat().find((result) => op === 'shell.run' && result.exitCode !== 0);
		if (failed !== undefined) throw new Error(\`step "\${id}": the command ended with exit code \${failed.exitCode}\`);
	}
	return results;
}

function fill(value, results) {
	if (typeof value === 'string') {
		const found = [...value.matchAll(REFERENCE)];
		if (found.length === 1 && found[0][0] === value) return valueOf(found[0], results);
		return value.replaceAll(REFERENCE, (...match) => {
			const filled = valueOf(match, results);
			return typeof filled === 'string' ? filled : JSON.stringify(filled);
		});
	}
	if (Array.isArray(value)) return value.map((each) => fill(each, results));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, results)]));
}

function valueOf([whole, name, path], results) {
	const value = path.split('.').slice(1).reduce((part, field) => part?.[field], results[name]);
	if (value === undefined) throw new Error(\`\${whole} has no value\`);
	return value;
}
`;
