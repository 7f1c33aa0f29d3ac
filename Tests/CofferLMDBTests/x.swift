import CofferLMDB
