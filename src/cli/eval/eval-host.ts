/** Parts of the command line, which what evaluates gets because it is a bundle of its own. */
import type { openHome } from '../home/home-folder.ts';
import type { readJsonObject, replaceFile } from '../home/json-file.ts';
import type { CommandAction } from '../invocation/command.ts';
import type { withHost } from '../ports/cli-host.ts';

export interface EvalHost {
	readonly openHome: typeof openHome;
	readonly readJsonObject: typeof readJsonObject;
	readonly replaceFile: typeof replaceFile;
	readonly withHost: typeof withHost;
	/** `prowess run`: the agent works as it does for a user. */
	readonly runPrompt: CommandAction;
	readonly version: string;
}
