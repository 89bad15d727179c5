/** The messages of zod in one language: a package that imports its whole namespace would bring along those in fifty. */

import type { Plugin } from 'esbuild';

export const onlyEnglish: Plugin = {
	name: 'only-english',
	setup(build) {
		build.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
			contents: "export { default as en } from './en.js';",
		}));
	},
};
