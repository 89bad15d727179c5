/** `prowess policy validate` and `prowess policy sign`: for those who write the rules of an organisation. */
import { resolve } from 'node:path';
import { organisationFile, systemPlace } from '../../machine/organisation/system-file.ts';
import { isProwessError } from '../../protocol/errors/errors.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { CommandAction } from '../invocation/command.ts';
import { printResult } from '../invocation/print-result.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { visibleLine } from '../terminal/visible.ts';

/** A bundle of its own: most machines have no such rules. */
const loadRules = () => import('../../machine/organisation/read-organisation.ts');

export const validateRules: CommandAction = async (invocation, context) => {
	const place = context.system ?? systemPlace(process.platform);
	const path = resolve(invocation.operands[0] ?? organisationFile(place));
	const { checkRulesFile } = await loadRules();
	const checked = await checkRulesFile(path).catch((error: unknown) => {
		// The file is only checked here: nothing was to start, and who checks it can repair it.
		if (isProwessError(error) && error.code === 'ORGANISATION_RULES_REFUSED') return error;
		throw error;
	});
	if (checked instanceof Error) {
		context.terminal.err(`${visibleLine(checked.message)}\n`);
		return exitCodes.failed;
	}
	const { rules, words } = checked;
	const lines = words.map((line) => `  ${visibleLine(inEnglish(line))}\n`).join('');
	const what = rules === undefined ? 'names the address of signed rules' : `rules of ${rules.organisation}`;
	printResult(invocation, context, { path, rules }, `${visibleLine(`${path}: valid, ${what}`)}\n${lines}`);
	return exitCodes.done;
};

export const signRulesCommand: CommandAction = async (invocation, context) => {
	const { key } = invocation.values;
	if (key === undefined) throw new UsageError('policy sign: --key names the private key that signs');
	const { signRulesFile } = await loadRules();
	const signed = await signRulesFile(resolve(invocation.operands[0] ?? ''), resolve(key));
	const { signaturePath, publicKey } = signed;
	const lines = `${visibleLine(signaturePath)}\npublicKey ${publicKey}\n`;
	return printResult(invocation, context, signed, lines);
};
