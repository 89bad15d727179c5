/**
 * An ES module that imports Node's HTTP makes Node read each export of it, and one of them, a WebSocket, loads all that
 * `fetch` is made of: ten times the time of HTTP itself, in every process. Asked of the process, only HTTP is loaded.
 */

import type { Plugin } from 'esbuild';

export const httpWithoutFetch: Plugin = {
	name: 'http-without-fetch',
	setup(build) {
		build.onResolve({ filter: /^node:http$/ }, ({ path, kind }) =>
			kind === 'require-call' ? undefined : { path, namespace: 'of-the-process' },
		);
		build.onLoad({ filter: /.*/, namespace: 'of-the-process' }, ({ path }) => ({
			contents: `module.exports = process.getBuiltinModule('${path}');`,
		}));
	},
};
