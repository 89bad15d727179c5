/**
 * Keeps what is typed into the form of a run and not sent. The texts outlive the page and the window; secrets are not
 * kept.
 */
import type { TrustedBase } from '../../../host/trusted-base.ts';
import type { TypedForms } from '../pages/page-panel.ts';
import type { KeptParams } from './kept-params.ts';

export function typedForms(base: () => Promise<TrustedBase>, typed: KeptParams): TypedForms {
	return {
		async keep(of, values) {
			const trusted = await base();
			await typed.keep('run', of, values, (text) => trusted.redact(text));
		},
		async forget(of) {
			// Waits for the same as what was typed before, so that it comes after that.
			await base();
			await typed.forget('run', of);
		},
	};
}
