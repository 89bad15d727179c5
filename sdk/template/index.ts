import type { Execute } from '@prowess/sdk';

/** Every effect goes through `host`; the user sees it and may be asked first. */
export const execute: Execute<{ path: string }> = async ({ path }, { host, progress, signal }) => {
	progress(`reading ${path}`);
	const { text, totalLines } = await host.fs.read({ path });
	signal.throwIfAborted();
	return { result: totalLines, additionalContext: `${path} has ${text.length} characters` };
};
