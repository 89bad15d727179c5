/** Texts for people in which capabilities describe themselves and their inputs. */
import * as vscode from 'vscode';
import type { CapabilityOrigin } from '../../../catalog/registry/sources/capability-source.ts';

/** In the language of the window what comes with Prowess says; as its author wrote it what others say. */
export function translateDescription(source: CapabilityOrigin, text: string): string {
	return source === 'built-in' ? vscode.l10n.t(text) : text;
}
