/** Requests that every page of ours may make of the editor. */
import * as vscode from 'vscode';
import { openLink } from './open-link.ts';

export const pageActs = {
	copy: async ({ text }: { readonly text: string }) => {
		await vscode.env.clipboard.writeText(text);
		return {};
	},
	openLink: async ({ url }: { readonly url: string }) => {
		await openLink(url);
		return {};
	},
} as const;
