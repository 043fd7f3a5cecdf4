export const playerColors = ['#1971c2', '#2f9e44', '#e03131', '#f08c00', '#6741d9', '#0c8599']
