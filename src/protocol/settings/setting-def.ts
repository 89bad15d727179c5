/** Definition of a setting: its values, its default, who may set it, and what people read of it. */
import type * as z from '../text/zod.ts';

export interface SettingDef<S extends z.ZodType = z.ZodType> {
	readonly schema: S;
	readonly default: z.output<S>;
	readonly scope: 'application' | 'machine' | 'window' | 'resource';
	/** Markdown that starts with what the setting controls; a number also names its unit and its default. */
	readonly description: string;
	/** A sentence for each value of an enum, by value. */
	readonly choices?: Readonly<Record<string, string>>;
	/** Key under which older settings have the value; read where the setting itself has none. */
	readonly formerName?: string;
	/**
	 * Effect while a part of the value cannot be read, for settings that restrict the agent. Their default may be looser
	 * than what the user meant, so everything is asked, or refused.
	 */
	readonly whileUnreadable?: 'ask' | 'refuse';
}

export function defineSetting<S extends z.ZodType>(def: SettingDef<S>): SettingDef<S> {
	return def;
}
