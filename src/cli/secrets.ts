/** `prowess secrets …`. Secrets come from the environment and are written nowhere, so there is nothing to set or remove here. */
import type { CommandAction } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { secrets } from './ports/secrets.ts';
import { visibleLine } from './visible.ts';

export const listSecrets: CommandAction = async ({ switches }, { terminal }) => {
	const names = [...(await secrets.list())].sort();
	if (switches.has('json')) {
		terminal.out(`${JSON.stringify(names, null, 2)}\n`);
	} else if (names.length === 0) {
		terminal.err('There are none. PROWESS_SECRET_GITHUB in the environment is the secret GITHUB.\n');
	} else {
		terminal.out(names.map((name) => `${visibleLine(name)}\n`).join(''));
	}
	return exitCodes.done;
};
