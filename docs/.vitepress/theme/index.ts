// Without the theme's web fonts: pages use the fonts of the system, as the dashboard does.
import DefaultTheme from "vitepress/theme-without-fonts";
import "./style.css";

export default DefaultTheme;
