/** The user's message as the model reads it: the text, what was added to it with @, and once per thread the capabilities. */
import { escapeHidden } from '../../base/hidden-characters.ts';
import type { ContextRef } from '../../protocol/context.ts';
import { excerpt } from '../history/excerpt.ts';
import { limits } from './limits.ts';
import { offeredCapabilities } from './offered-capabilities.ts';
import { type Asker, perform, performWithin } from './perform.ts';
import { section } from './section.ts';

/** Text to put after the user's; empty when nothing was added. A reference that cannot be read says why. */
export async function readContext(refs: readonly ContextRef[], asker: Asker, signal: AbortSignal): Promise<string> {
	const sections = await Promise.all(refs.map((ref) => readRef(ref, asker, signal)));
	return sections
		.filter((each) => each !== '')
		.map((each) => `\n\n${each}`)
		.join('');
}

/** Of a thread's first message: the capabilities that can be run; empty without any. */
export async function readCapabilities(asker: Asker, signal: AbortSignal): Promise<string> {
	const params = { withinMs: limits.offeredCapabilitiesMs };
	const listed = await performWithin(limits.offeringMs, 'capability.list', params, asker, signal);
	const offered = listed.ok ? offeredCapabilities(listed.result.capabilities, listed.result.isComplete) : undefined;
	return offered === undefined ? '' : `\n\n${offered}`;
}

async function readRef(ref: ContextRef, asker: Asker, signal: AbortSignal): Promise<string> {
	switch (ref.kind) {
		case 'file':
			return shown('file', `path="${ref.path}"`, await perform('fs.read', { path: ref.path }, asker, signal));
		case 'folder':
			return shown('folder', `path="${ref.path}"`, await perform('fs.list', { path: ref.path }, asker, signal));
		case 'selection':
			return shown('selection', `path="${ref.path}" lines="${ref.startLine}-${ref.endLine}"`, {
				text: escapeHidden(ref.text),
			});
		case 'active':
			// A line of the environment.
			return '';
		case 'problems': {
			const params = ref.path === undefined ? {} : { path: ref.path };
			const about = ref.path === undefined ? '' : `path="${ref.path}"`;
			return shown('problems', about, await perform('editor.diagnostics', params, asker, signal));
		}
	}
}

function shown(name: string, about: string, { text }: { readonly text: string }): string {
	return section(name, about, excerpt(text, limits.contextRefChars).text);
}

/** What a message is about, for the instructions that go with it. */
export function pathsOf(refs: readonly ContextRef[]): string[] {
	return refs.flatMap((ref) => (ref.path === undefined ? [] : [ref.path]));
}
