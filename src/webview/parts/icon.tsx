/** Icons of the editor: beside a text, and as a button of their own. */

/** A codicon beside a text: decoration, so it is hidden from assistive technology. */
export function Icon({ name, spin = false }: { name: string; spin?: boolean }) {
	return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}

interface IconButtonProps {
	readonly icon: string;
	readonly title: string;
	/** Words that are read aloud, where the tooltip leaves out what the button belongs to. Default: `title`. */
	readonly label?: string;
	/** Set for a button that opens and closes a part of the page. */
	readonly isExpanded?: boolean;
	onClick(): void;
}

/** Button that shows an icon only: its words are in the tooltip, and read aloud. */
export function IconButton({ icon, title, label = title, isExpanded, onClick }: IconButtonProps) {
	return (
		<button
			type="button"
			class="icon-button"
			title={title}
			aria-label={label}
			aria-expanded={isExpanded}
			onClick={() => onClick()}
		>
			<Icon name={icon} />
		</button>
	);
}
