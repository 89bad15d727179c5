/** Commands that run, as the user looks at them: what they say is shown without secrets, as everywhere. */
import type { Runs } from '../../contract/runs.ts';
import type { CommandRunner } from '../../machine/shell/command-runner.ts';
import type { Redactor } from '../../trust/record/redaction/redactor.ts';

interface RunRegisterDeps {
	readonly commands: Pick<CommandRunner, 'stopByUser' | 'continueInBackground' | 'follow'>;
	readonly redactor: Pick<Redactor, 'stream'>;
}

export function runRegister({ commands, redactor }: RunRegisterDeps): Runs {
	return {
		stop: (opId, threadId) => commands.stopByUser(opId, threadId),
		continueInBackground: (opId, threadId) => commands.continueInBackground(opId, threadId),
		follow(opId, threadId, follower) {
			const clean = redactor.stream();
			const writeUnlessEmpty = (text: string) => {
				if (text !== '') {
					follower.write(text);
				}
			};
			return commands.follow(opId, threadId, {
				// The lead is not shown, but a part of it that the redactor holds back may go on in what is shown.
				lead: (text) => void clean.push(text),
				write: (text) => writeUnlessEmpty(clean.push(text)),
				end(end) {
					writeUnlessEmpty(clean.end());
					follower.end(end);
				},
			});
		},
	};
}
