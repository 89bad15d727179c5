import { fs, http, progress } from '@prowess/sdk';

/**
 * Checks the links of a Markdown file.
 * @param {string} path - the file, in the workspace
 */
export async function checkFile({ path }) {
	const { text } = await fs.read({ path, raw: true });
	const urls = [...new Set([...text.matchAll(/\]\((https?:\/\/[^)\s]+)\)/g)].map(([, url]) => url))];
	return await check({ urls });
}

/**
 * Checks addresses, all at once.
 * @param {string[]} urls - the addresses
 */
export async function check({ urls }) {
	let done = 0;
	const results = await Promise.all(
		urls.map(async (url) => {
			const result = await http.get(url).then(
				({ status }) => ({ url, ok: status < 400, status }),
				(error) => ({ url, ok: false, error: error.code ?? String(error) }),
			);
			done += 1;
			await progress.report(`${done} of ${urls.length}`, done / urls.length);
			return result;
		}),
	);
	return { checked: results.length, broken: results.filter(({ ok }) => !ok) };
}
