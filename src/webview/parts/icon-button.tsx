/** Button that shows an icon only: its words are in the tooltip, and read aloud. */
import { Icon } from './icon.tsx';

interface IconButtonProps {
	readonly icon: string;
	readonly title: string;
	/** Words that are read aloud, where the tooltip leaves out what the button belongs to. Default: `title`. */
	readonly label?: string;
	/** Set for a button that opens and closes a part of the page. */
	readonly isExpanded?: boolean;
	onClick(): void;
}

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
