/** A page about a capability, its run to come, a package, an execution, the overrides, the approvals, a question or the goals: asks what is on it, and draws it again when that changes. */
import { render } from 'preact';
import {
	formNotifications,
	type PageAddress,
	type PageContent,
	pageNotifications,
	pageRequests,
} from '../../protocol/pages/capability-page.ts';
import { type AnyError, textForUser } from '../../protocol/errors/error-text.ts';
import { type TextActions, TextProvider } from '../parts/text-actions.ts';
import type { PageEnd } from '../parts/page-end.ts';
import { tryCall } from '../parts/tried-calls.ts';
import { createTranslator } from '../parts/translate.ts';
import type { FormActions } from './form-block.tsx';
import { keepValues } from './keep-values.ts';
import { PageView } from './page-view.tsx';

export function openPage({ root, editor, peer, signal }: PageEnd): void {
	let shown: { readonly address: PageAddress; readonly content: PageContent | null } | undefined;
	let problem: AnyError | null = null;
	let t = createTranslator({});

	/** A failure is a sentence on the page; the next thing that works takes it away. */
	const tryRequest = async <T,>(call: Promise<T>): Promise<T | undefined> => tryCall(call, signal, showProblem);
	const showProblem = (next: AnyError | null) => {
		if (next !== problem) {
			problem = next;
			renderPage();
		}
	};
	const text: TextActions = {
		t: (english, args) => t(english, args),
		copy: (copied) => void tryRequest(peer.call(pageRequests.copy, { text: copied }, signal)),
		openLink: (url) => void tryRequest(peer.call(pageRequests.openLink, { url }, signal)),
		openFile: (path, line) =>
			void tryRequest(peer.call(pageRequests.openFile, { path, ...(line === undefined ? {} : { line }) }, signal)),
	};
	const typing = keepValues(({ of, values }) => {
		peer.notify(formNotifications.keep, { of, values });
	}, signal);
	const form: FormActions = {
		submit: async (values) => {
			typing.hand();
			return (await tryRequest(peer.call(pageRequests.submit, { values }, signal)))?.problems;
		},
		pick: async (field) => tryRequest(peer.call(pageRequests.pick, { field }, signal)),
		keep(values) {
			if (shown !== undefined) {
				typing.keep({ of: shown.address.of, values });
			}
		},
		cancel() {
			typing.drop();
			void tryRequest(peer.call(pageRequests.leave, {}, signal));
		},
	};
	const showContent = (next: NonNullable<typeof shown>) => {
		const isOther = shown !== undefined && JSON.stringify(next.address) !== JSON.stringify(shown.address);
		shown = next;
		// All that the editor needs to make it again after a restart.
		editor.setState(next.address);
		renderPage();
		if (isOther) {
			window.scrollTo(0, 0);
		}
	};

	function renderPage(): void {
		render(
			<TextProvider value={text}>
				<PageView
					content={shown?.content ?? null}
					problem={problem === null ? null : textForUser(problem, t)}
					act={(action, on) =>
						void tryRequest(peer.call(pageRequests.act, { action, ...(on === undefined ? {} : { on }) }, signal))
					}
					form={form}
				/>
			</TextProvider>,
			root,
		);
	}

	peer.on(pageNotifications, { changed: showContent });
	renderPage();
	void tryRequest(peer.call(pageRequests.start, {}, signal)).then((started) => {
		if (started !== undefined) {
			const { strings, ...first } = started;
			t = createTranslator(strings);
			showContent(first);
		}
	});
}
