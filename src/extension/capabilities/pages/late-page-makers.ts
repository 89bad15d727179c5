/** Makers of pages that load their code with the first page: most windows never show one. */
import { PageAddress } from '../../../protocol/pages/capability-page.ts';
import type { PageMakers } from './capability-pages.ts';
import type { PageSources } from './page-makers.ts';

export function createLatePageMakers(sources: PageSources): PageMakers {
	let makers: Promise<PageMakers> | undefined;
	const load = async () => (await import('./page-makers.ts')).pageMakers(sources);
	const late = PageAddress.shape.kind.options.map((kind) => [
		kind,
		async (of: string, signal: AbortSignal) => await (await (makers ??= load()))[kind](of, signal),
	]);
	return Object.fromEntries(late) as PageMakers;
}
