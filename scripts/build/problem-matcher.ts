/** Prints what the `watch` task's problem matcher reads: where a build starts and ends, and each problem on two lines. */

import { formatMessagesSync, type Plugin } from 'esbuild';

export function problemMatcher(name: string): Plugin {
	return {
		name: 'problem-matcher',
		setup(build) {
			build.onStart(() => console.log(`[watch] ${name}: build started`));
			build.onEnd(({ errors, warnings }) => {
				const lines = [
					...formatMessagesSync(errors, { kind: 'error' }),
					...formatMessagesSync(warnings, { kind: 'warning' }),
				];
				for (const line of lines) console.error(line.trimEnd());
				console.log(`[watch] ${name}: build finished`);
			});
		},
	};
}
