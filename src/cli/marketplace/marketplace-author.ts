/** `prowess marketplace pack` and `writeIndexCommand`: for those who offer capabilities. They write only what they are told to. */
import { basename, join, resolve } from 'node:path';
import { isExistingFolder } from '../../machine/paths/is-folder.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { CommandAction } from '../invocation/command.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';
import { printResult } from '../invocation/print-result.ts';

export const pack: CommandAction = async ({ operands, values, switches }, context) => {
	const { terminal, signal } = context;
	const { packInto } = await loadPacker();
	const out = resolve(values['out'] ?? '.');
	const folder = resolve(operands[0] ?? '');
	const tested = isExistingFolder(join(folder, 'tests')) ? await (await loadTester())(folder, context) : undefined;
	if (tested !== undefined) terminal.err(tested.report);
	if (tested !== undefined && tested.failed > 0) {
		const message = `${tested.failed} of its cases failed, so it was not packed`;
		throw new ProwessError('INVALID_CAPABILITY_CONFIG', message, { path: folder });
	}
	const { fileName, sha256, bytes } = await packInto(folder, out, signal);
	const path = join(out, fileName);
	return printResult(
		{ switches },
		{ terminal },
		{ path, sha256, size: bytes.length, passedCases: tested?.passed ?? 0 },
		`${visibleLine(path)}\nsha256 ${sha256}\n`,
	);
};

export const writeIndexCommand: CommandAction = async ({ operands, values, lists, switches }, { terminal, signal }) => {
	const folder = resolve(operands[0] ?? '');
	const { key, expires } = values;
	if (expires !== undefined && !/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(expires)) {
		throw new UsageError(`marketplace index: --expires takes a time like 2027-01-31T00:00:00Z; got "${expires}"`);
	}
	const { buildIndex, readSigningKey, writeIndex } = await loadPacker();
	const signingKey = key === undefined ? undefined : await readSigningKey(resolve(key));
	const { revoke: revoked = [] } = lists;
	const options = { name: values['name'] ?? basename(folder), signingKey, expires, revoked };
	const built = await buildIndex(folder, options, signal);
	const path = await writeIndex(folder, built);
	const signedBy = built.capabilities.find((entry) => entry.key !== undefined)?.key;
	const by = signedBy === undefined ? '' : `, signed by ${signedBy}`;
	const text = `${visibleLine(path)}: versions: ${built.capabilities.length}${by}\n`;
	return printResult({ switches }, { terminal }, { path, ...built }, text);
};

const loadTester = async () => (await import('../capability/cases/test-command.ts')).testBeforePacking;

const loadPacker = () => import('../../catalog/marketplace/build-index.ts');
