/** A page about a capability, its run to come, a package, an execution, the overrides, the approvals, a question or the goals: asks what is on it, and draws it again when that changes. */
import { render } from 'preact';
import {
	formNotifications,
	MAX_KEPT_TEXT,
	type PageAddress,
	type PageContent,
	pageNotifications,
	pageRequests,
} from '../../protocol/pages/capability-page.ts';
import { type AnyError, textForUser } from '../../protocol/errors/error-text.ts';
import type { PageEnd } from '../parts/page-end.tsx';
import { type TextActions, TextProvider } from '../parts/text-actions.ts';
import { tryCall } from '../parts/tried-calls.ts';
import { createTranslator } from '../parts/translate.ts';
import type { FormActions } from './form-block.tsx';
import { PageView } from './page-view.tsx';

const VALUES_KEEP_INTERVAL_MS = 100;

/** Texts by the names of fields, of the form of the page at `of`. */
interface TypedValues {
	readonly of: string;
	readonly values: Readonly<Record<string, string>>;
}

interface KeepsValues {
	keep(typed: TypedValues): void;
	/** At once what is typed so far. */
	hand(): void;
	/** Discards typed text that was not handed over yet. */
	drop(): void;
}

/** Hands what is typed into a form to the extension, at most once per interval, and the rest when the page goes. */
function keepValues(send: (typed: TypedValues) => void, signal: AbortSignal): KeepsValues {
	let waiting: TypedValues | undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;

	function handOverValues(): void {
		clearTimeout(timer);
		timer = undefined;
		if (waiting !== undefined) {
			const { of, values } = waiting;
			waiting = undefined;
			const short = Object.entries(values).filter(([, text]) => text.length <= MAX_KEPT_TEXT);
			send({ of, values: Object.fromEntries(short) });
		}
	}

	window.addEventListener('pagehide', handOverValues, { signal });
	return {
		keep(typed) {
			if (waiting !== undefined && waiting.of !== typed.of) {
				handOverValues();
			}
			waiting = typed;
			timer ??= setTimeout(handOverValues, VALUES_KEEP_INTERVAL_MS);
		},
		hand: handOverValues,
		drop() {
			waiting = undefined;
		},
	};
}

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
			<TextProvider
				value={shown?.content?.opensWorkspaceFiles === true ? { ...text, opensWorkspaceFiles: true } : text}
			>
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
